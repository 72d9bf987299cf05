package dev.holdfast.spring;

import java.util.Arrays;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;

/**
 * The data source that holds the ledger. Of several it must be named: a primary one is primary for
 * the application's rows, and a ledger in the wrong database knows of no receipt.
 */
record LedgerDataSource(DataSource source) {
  private static final String NAME = HoldfastProperties.PREFIX + ".data-source";

  static LedgerDataSource of(ConfigurableListableBeanFactory beans, @Nullable String named) {
    List<String> names = names(beans);
    String chosen = named == null ? theOnly(names) : named;
    if (!beans.containsBean(chosen) || !beans.isTypeMatch(chosen, DataSource.class)) {
      throw new StartRefusedException(
          NAME + " names no DataSource bean: " + chosen, "The DataSource beans are " + names);
    }
    return new LedgerDataSource(beans.getBean(chosen, DataSource.class));
  }

  private static String theOnly(List<String> names) {
    return switch (names.size()) {
      case 0 ->
          throw new StartRefusedException(
              "there is no DataSource bean to keep the ledger in",
              "Define one (spring.datasource.url), or let fenced activities be unprotected by"
                  + " holdfast.enabled=false");
      case 1 -> names.getFirst();
      default ->
          throw new StartRefusedException(
              "there are several DataSource beans, and one of them holds the ledger: " + names,
              "Name it by " + NAME);
    };
  }

  private static List<String> names(ConfigurableListableBeanFactory beans) {
    return Arrays.stream(beans.getBeanNamesForType(DataSource.class, true, false))
        .filter(name -> isCandidate(beans, name))
        .sorted()
        .toList();
  }

  /** What a bean definition keeps from injection by type alone is not offered here either. */
  private static boolean isCandidate(ConfigurableListableBeanFactory beans, String name) {
    return !beans.containsBeanDefinition(name)
        || !(beans.getMergedBeanDefinition(name) instanceof AbstractBeanDefinition definition)
        || (definition.isAutowireCandidate() && definition.isDefaultCandidate());
  }
}
