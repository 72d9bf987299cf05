package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.OwnServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Servers that were really started in a way in which no promise can be kept. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StartedThatWayTest {
  private static OwnServer server;

  @BeforeAll
  static void start() {
    server = OwnServer.started(Map.of());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void assertRefused(EmbeddedLedger ledger, String what, String cure) {
    assertThatThrownBy(() -> JooqLedger.open(ledger.dataSource(), LedgerOptions.standard()))
        .isInstanceOf(LedgerRefusedException.class)
        .hasMessageContaining(what)
        .hasMessageContaining(cure);
  }

  private static void assertOpens() {
    assertThatCode(() -> JooqLedger.open(server.ledger().dataSource(), LedgerOptions.standard()))
        .doesNotThrowAnyException();
  }

  @Test
  void without_fsync_it_is_refused() {
    server.restart(Map.of("fsync", "off"));
    assertRefused(server.ledger(), "may lose what it acknowledged", "set fsync to on");
  }

  @Test
  void without_full_page_writes_it_is_refused() {
    server.restart(Map.of("full_page_writes", "off"));
    assertRefused(server.ledger(), "may tear pages", "set full_page_writes to on");
  }

  @Test
  void a_read_only_server_is_refused() {
    server.restart(Map.of("default_transaction_read_only", "on"));
    assertRefused(server.ledger(), "read-only", "set default_transaction_read_only to off");
  }

  @Test
  void a_standby_is_refused() {
    server.restart(Map.of());
    try (OwnServer standby = server.standby()) {
      assertRefused(standby.ledger(), "is a standby", "connect to the primary");
    }
    assertOpens();
  }

  @Test
  void unlogged_tables_are_refused() {
    server.restart(Map.of());
    server.ledger().sql().execute("alter table receipt set unlogged");
    assertRefused(server.ledger(), "unlogged tables", "set logged");
    server.ledger().sql().execute("alter table receipt set logged");
    assertOpens();
  }

  @Test
  void a_schema_of_a_later_library_is_refused() {
    server.restart(Map.of());
    server.ledger().sql().execute("update ledger_schema set minimum_library = 2");
    assertRefused(server.ledger(), "demands library version 2", "upgrade the library");
    server.ledger().sql().execute("update ledger_schema set minimum_library = 1");
    assertOpens();
  }

  @Test
  void sessions_whose_commits_are_not_waited_for_are_raised_and_open() {
    server.restart(Map.of("synchronous_commit", "off"));
    assertOpens();
  }
}
