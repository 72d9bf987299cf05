package dev.holdfast.spring;

import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.ledger.QuarantineListener;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import io.temporal.spring.boot.autoconfigure.RootNamespaceAutoConfiguration;
import io.temporal.spring.boot.autoconfigure.properties.TemporalProperties;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerPlugin;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Scope;

/**
 * Registers Holdfast's plugin wherever the Temporal starter makes workers, so that every fenced
 * activity is protected, on all task queues and in all namespaces of the application.
 *
 * <p>What the application defines itself is used instead: {@link HoldfastCounters}, a {@link
 * QuarantineListener}, or a whole plugin named {@code holdfastPlugin}. The builder is a prototype,
 * for a plugin or for deliveries of one's own with the same options.
 */
@AutoConfiguration(
    // its name differs between the versions of Boot
    afterName = {
      "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
      "org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration"
    })
@ConditionalOnClass(RootNamespaceAutoConfiguration.class)
@Conditional(OnEnabled.class)
@EnableConfigurationProperties(HoldfastProperties.class)
public final class HoldfastAutoConfiguration {

  @Bean
  LedgerDataSource holdfastLedgerDataSource(
      ConfigurableListableBeanFactory beans, HoldfastProperties properties) {
    LedgerDataSource ledger = LedgerDataSource.of(beans, properties.dataSource());
    if (properties.migrate()) {
      JooqLedger.migrate(ledger.source(), schema(properties));
    }
    return ledger;
  }

  @Bean
  @ConditionalOnMissingBean
  HoldfastCounters holdfastCounters() {
    return new HoldfastCounters();
  }

  @Bean
  @Scope(ConfigurableBeanFactory.SCOPE_PROTOTYPE)
  Holdfast.Builder holdfastBuilder(
      LedgerDataSource ledger,
      HoldfastProperties properties,
      HoldfastCounters counters,
      ObjectProvider<QuarantineListener> listener,
      ConfigurableListableBeanFactory beans,
      ObjectProvider<TemporalProperties> temporal) {
    requireScope(properties, temporal);
    Holdfast.Builder builder = PluginOptions.of(ledger.source(), properties).setCounters(counters);
    listener.ifAvailable(builder::setQuarantineListener);
    new UpstreamBeans(beans).addTo(builder);
    return builder;
  }

  @Bean
  @ConditionalOnMissingBean(name = "holdfastPlugin")
  WorkerPlugin holdfastPlugin(Holdfast.Builder holdfastBuilder) {
    return PluginOptions.checked(holdfastBuilder::build);
  }

  @Bean
  OrderlyStop holdfastOrderlyStop(ObjectProvider<WorkerFactory> factories) {
    return new OrderlyStop(factories);
  }

  private static String schema(HoldfastProperties properties) {
    String schema = properties.schema();
    return schema == null ? LedgerOptions.standard().schema() : schema;
  }

  /** One plugin serves all namespaces, and its ledger keeps them all. */
  private static void requireScope(
      HoldfastProperties properties, ObjectProvider<TemporalProperties> temporal) {
    if (properties.scope() == null
        && temporal.stream()
            .map(TemporalProperties::getNamespaces)
            .anyMatch(others -> others != null && !others.isEmpty())) {
      throw new StartRefusedException(
          "several Temporal namespaces share one ledger, and nothing says whose operations are"
              + " whose",
          "Set holdfast.scope, the same wherever this ledger is used");
    }
  }
}
