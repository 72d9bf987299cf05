package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.util.List;
import org.jooq.Record;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeapOnlyTest {
  private static final int OPERATIONS = 200;

  private final EmbeddedLedger embedded;

  HeapOnlyTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
  }

  @Test
  void the_plain_path_touches_no_index_after_the_first_claim() {
    // a session tells its counts when it ends
    try (HikariDataSource pool = embedded.pool(1)) {
      plainPath(JooqLedger.open(pool, LedgerOptions.standard()));
    }

    await().until(() -> statistics().get("n_tup_ins", Integer.class) == OPERATIONS);
    await().until(() -> statistics().get("n_tup_upd", Integer.class) == 3 * OPERATIONS);
    assertThat(statistics().get("n_tup_hot_upd", Integer.class)).isEqualTo(3 * OPERATIONS);
  }

  private static void plainPath(JooqLedger ledger) {
    for (int i = 0; i < OPERATIONS; i++) {
      Lease lease = Asking.about("hot-" + i).dispatched(ledger);
      assertThat(ledger.renew(List.of(lease), Asking.LEASE)).hasSize(1);
      assertThat(ledger.release(Asking.committed(ledger, lease).permit()))
          .isInstanceOf(ReleaseOutcome.Released.class);
    }
  }

  private Record statistics() {
    return embedded
        .sql()
        .fetchSingle("select * from pg_stat_user_tables where relname = 'operation'");
  }
}
