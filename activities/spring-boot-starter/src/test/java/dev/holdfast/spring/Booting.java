package dev.holdfast.spring;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** Starts applications, and reads what Boot would say of one that does not start. */
final class Booting {
  private Booting() {}

  /** Properties of a worker over this ledger and Temporal's in-process server. */
  static String[] worker(EmbeddedLedger ledger, String... more) {
    return Stream.concat(
            Stream.of(
                "spring.datasource.url=" + ledger.jdbcUrl(),
                "spring.temporal.test-server.enabled=true",
                "spring.temporal.workers-auto-discovery.workflow-packages=dev.holdfast.spring",
                "spring.temporal.workers-auto-discovery.register-activity-beans=true",
                // the older Boot configures one as soon as it is on the class path
                "spring.flyway.enabled=false",
                "holdfast.scope=" + BootedApplication.SCOPE),
            Stream.of(more))
        .toArray(String[]::new);
  }

  /** An application of these classes with these properties, {@code name=value}. */
  static ConfigurableApplicationContext start(Class<?> application, String... properties) {
    return prepared(application, properties).run();
  }

  /** The same, not yet started. */
  static SpringApplicationBuilder prepared(Class<?> application, String... properties) {
    return new SpringApplicationBuilder(application)
        .web(WebApplicationType.NONE)
        .bannerMode(Banner.Mode.OFF)
        .logStartupInfo(false)
        .properties(properties);
  }

  /** What stands in the report of a failed start, by the analyzers that Boot finds. */
  static String report(Throwable failure) {
    List<FailureAnalyzer> analyzers =
        SpringFactoriesLoader.forDefaultResourceLocation(SpringApplication.class.getClassLoader())
            // those of Boot that want a bean factory are left out
            .load(FailureAnalyzer.class, (type, name, none) -> {});
    return analyzers.stream()
        .map(analyzer -> analyzer.analyze(failure))
        .filter(Objects::nonNull)
        .map(Booting::text)
        .findFirst()
        .orElse("no report");
  }

  private static String text(FailureAnalysis analysis) {
    return analysis.getDescription() + " / " + analysis.getAction();
  }
}
