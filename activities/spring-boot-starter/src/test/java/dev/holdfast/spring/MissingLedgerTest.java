package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MissingLedgerTest {
  private final EmbeddedLedger ledger = EmbeddedLedger.unmigrated();

  @AfterEach
  void close() {
    ledger.close();
  }

  @Test
  void workers_start_on_no_tables_only_where_the_application_says_that_they_are_to_be_made() {
    Throwable failure =
        catchThrowable(() -> Booting.start(BootedApplication.class, Booting.worker(ledger)));

    assertThat(failure).isInstanceOf(LedgerRefusedException.class);
    assertThat(Booting.report(failure))
        .contains("schema holdfast holds no complete ledger", "holdfast.migrate=true");

    String[] migrating = Booting.worker(ledger, "holdfast.migrate=true", "holdfast.schema=effects");
    try (ConfigurableApplicationContext context =
        Booting.start(BootedApplication.class, migrating)) {
      assertThat(context.isActive()).isTrue();
    }
    assertThat(ledger.sql().fetchCount(DSL.table("effects.receipt"))).isZero();
  }
}
