package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What docker-compose.yml starts, here as two processes: PostgreSQL and a real Temporal server. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ExternalServersTest {
  @Test
  void the_demo_plays_on_the_servers_that_the_environment_names(RealServer temporal)
      throws Exception {
    try (EmbeddedLedger postgres = EmbeddedLedger.unmigrated()) {
      DemoRun run =
          DemoRun.with(
              Map.of("TEMPORAL_ADDRESS", temporal.target(), "LEDGER_JDBC_URL", postgres.jdbcUrl()));

      assertThat(run.scores()).as("%s", run.lines()).containsExactly(DemoTest.RIGHT);
      assertThat(run.exitCode()).isZero();
    }
  }
}
