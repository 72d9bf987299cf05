package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DurabilityCheckTest {
  private static void assertRefused(DataSource source, String cure) {
    assertThatThrownBy(() -> JooqLedger.open(source, LedgerOptions.standard()))
        .isInstanceOf(LedgerRefusedException.class)
        .hasMessageContaining(cure);
  }

  @Test
  void read_only_sessions_are_refused() {
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      PGSimpleDataSource reader = ledger.dataSource();
      reader.setOptions("-c default_transaction_read_only=on");

      assertRefused(reader, "default_transaction_read_only");
    }
  }

  @Test
  void unlogged_tables_are_refused() {
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      ledger.sql().execute("alter table receipt set unlogged");

      assertRefused(ledger.dataSource(), "set logged");
    }
  }

  @Test
  void a_schema_of_a_later_library_is_refused() {
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      ledger.sql().execute("update ledger_schema set minimum_library = 2");

      assertRefused(ledger.dataSource(), "upgrade the library");
    }
  }

  @Test
  void a_missing_table_is_refused() {
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      ledger.sql().execute("drop table quarantine_warning");

      assertRefused(ledger.dataSource(), "JooqLedger.migrate");
    }
  }

  @Test
  void another_schema_than_the_migrated_one_is_refused() {
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      assertThatThrownBy(
              () ->
                  JooqLedger.open(
                      ledger.dataSource(), LedgerOptions.standard().inSchema("elsewhere")))
          .isInstanceOf(LedgerRefusedException.class)
          .hasMessageContaining("elsewhere");
    }
  }

  @Test
  void wrong_credentials_are_named_and_not_shown() {
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      PGSimpleDataSource stranger = ledger.dataSource();
      stranger.setUser("nobody_of_that_name");
      stranger.setPassword("S3CR3T-7f");

      assertThatThrownBy(() -> JooqLedger.open(stranger, LedgerOptions.standard()))
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageContaining("refuses the credentials")
          .hasMessageNotContaining("S3CR3T-7f");
    }
  }

  @Test
  void a_whole_ledger_opens() {
    try (EmbeddedLedger ledger = EmbeddedLedger.fresh()) {
      assertThatCode(() -> JooqLedger.open(ledger.dataSource(), LedgerOptions.standard()))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void a_schema_is_a_plain_name() {
    assertThatThrownBy(() -> LedgerOptions.standard().inSchema("Ledger; drop"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
