package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.Reconciled;
import dev.holdfast.activities.Reconciles;
import io.temporal.activity.ActivityInterface;
import io.temporal.spring.boot.autoconfigure.properties.TemporalProperties;
import io.temporal.worker.WorkerPlugin;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.io.DefaultResourceLoader;

/** What an application that cannot be protected, or shall not be, is told. No worker starts. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RefusalsTest {
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration(HoldfastAutoConfiguration.class)
  static class Bare {}

  static class One extends Bare {
    @Bean
    DataSource ledger() {
      return new PGSimpleDataSource();
    }
  }

  static class Two extends One {
    @Bean
    @Primary
    DataSource orders() {
      return new PGSimpleDataSource();
    }
  }

  /** Its second one is offered to nobody who does not ask for it. */
  static class OneAndAnotherByName extends One {
    @Bean(defaultCandidate = false)
    DataSource archive() {
      return new PGSimpleDataSource();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          holdfast.lease=soon        | holdfast.lease
          holdfast.leese=10s         | holdfast.leese
          holdfast.scope=            | holdfast.scope
          holdfast.worker-name=a\tb  | holdfast.worker-name
          holdfast.commit-level=off  | holdfast.commit-level
          holdfast.activity-interfaces=no.such.Type | holdfast.activity-interfaces
          holdfast.activity-interfaces=dev.holdfast.spring.RefusalsTest.Unkept | keyHorizon
          holdfast.lease=10ms        | a lease lasts at least 1 s
          holdfast.margin=15s        | more than a third of the lease
          holdfast.wait-in-place=-1s | a negative wait in place
          holdfast.sweep-every=10ms  | a sweep every 1 s to 1 day
          holdfast.schema=My Ledger  | not a plain lower-case schema name
          """)
  void a_property_that_cannot_be_kept_is_named(String property, String told) {
    assertThat(refusal(One.class, property)).contains(told);
  }

  @Test
  void every_way_to_say_no_turns_the_protection_off_and_a_misspelt_one_does_not() {
    assertThat(catchThrowable(() -> Booting.start(One.class, "holdfast.enabled=flase").close()))
        .hasStackTraceContaining("flase");

    try (ConfigurableApplicationContext context =
        Booting.start(One.class, "holdfast.enabled=off")) {
      assertThat(context.getBeansOfType(WorkerPlugin.class)).isEmpty();
    }
  }

  @Test
  void without_a_data_source_it_says_how_to_do_without_protection() {
    assertThat(refusal(Bare.class)).contains("no DataSource bean", "holdfast.enabled=false");

    try (ConfigurableApplicationContext context =
        Booting.start(Bare.class, "holdfast.enabled=false")) {
      assertThat(context.getBeansOfType(WorkerPlugin.class)).isEmpty();
    }
  }

  @Test
  void of_two_data_sources_it_takes_the_one_that_is_named() {
    assertThat(refusal(Two.class)).contains("[ledger, orders]", "holdfast.data-source");
    assertThat(refusal(Two.class, "holdfast.data-source=leger"))
        .contains("leger", "[ledger, orders]");

    try (ConfigurableApplicationContext context =
        Booting.start(Two.class, "holdfast.data-source=ledger")) {
      assertThat(context.getBean(LedgerDataSource.class).source())
          .isSameAs(context.getBean("ledger"));
    }
    try (ConfigurableApplicationContext context = Booting.start(OneAndAnotherByName.class)) {
      assertThat(context.getBean(LedgerDataSource.class).source())
          .isSameAs(context.getBean("ledger"));
    }
  }

  @Test
  void without_the_temporal_starter_it_does_nothing() {
    DefaultResourceLoader without =
        new DefaultResourceLoader(
            new ClassLoader(getClass().getClassLoader()) {
              @Override
              protected Class<?> loadClass(String name, boolean resolve)
                  throws ClassNotFoundException {
                if (name.startsWith("io.temporal.spring.boot")) {
                  throw new ClassNotFoundException(name);
                }
                return super.loadClass(name, resolve);
              }
            });
    try (ConfigurableApplicationContext context =
        Booting.prepared(Bare.class).resourceLoader(without).run()) {
      assertThat(context.getBeansOfType(HoldfastCounters.class)).isEmpty();
    }
  }

  @Test
  void several_namespaces_over_one_ledger_need_a_scope() {
    assertThat(
            refusal(
                Namespaced.class,
                "spring.temporal.namespaces[0].namespace=other",
                "spring.temporal.namespaces[0].alias=other"))
        .contains("several Temporal namespaces", "holdfast.scope");
  }

  @Test
  void a_plugin_of_the_applications_own_is_the_only_one() {
    try (ConfigurableApplicationContext context = Booting.start(OwnPlugin.class)) {
      assertThat(context.getBeansOfType(WorkerPlugin.class)).hasSize(1);
    }
  }

  @Test
  void a_reconciler_that_says_not_for_whom_would_never_be_asked() {
    assertThat(refusal(Unmarked.class)).contains("asker", "@ForActivities");
  }

  private static String refusal(Class<?> application, String... properties) {
    Throwable failure = catchThrowable(() -> Booting.start(application, properties).close());
    assertThat(failure).isNotNull();
    return Booting.report(failure);
  }

  /** As the Temporal starter reads its own. */
  @EnableConfigurationProperties(TemporalProperties.class)
  static class Namespaced extends One {}

  static class OwnPlugin extends One {
    @Bean
    WorkerPlugin holdfastPlugin(Holdfast.Builder builder) {
      return builder.setWorkerName("mine").build();
    }
  }

  static class Unmarked extends One {
    @Bean
    Reconciles<String> asker() {
      return inquiry -> Reconciled.didNotHappen();
    }
  }

  /** Called by its name alone, and not to be kept. */
  @ActivityInterface
  public interface Unkept {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY)
    void keep(@OperationKey String key);
  }
}
