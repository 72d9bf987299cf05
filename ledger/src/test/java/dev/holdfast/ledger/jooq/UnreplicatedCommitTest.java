package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A commit that no standby has is stored here, and may be missing after a failover. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnreplicatedCommitTest {
  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;
  private final ExecutorService canceller = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private Lease lease;
  private Future<?> cancelling;

  UnreplicatedCommitTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.pool(2), LedgerOptions.standard());
  }

  @BeforeEach
  void waitForAStandbyThatIsAbsentAndGiveUp() {
    lease = Asking.about("unreplicated-" + System.nanoTime()).dispatched(ledger);
    embedded.sql().execute("alter system set synchronous_standby_names = 'absent'");
    embedded.sql().fetch("select pg_reload_conf()");
    cancelling = canceller.submit(this::cancelWhoWaits);
    await().until(this::commitsAreWarnedOf);
  }

  @AfterEach
  void waitForNoStandby() throws Exception {
    embedded.sql().execute("alter system reset synchronous_standby_names");
    embedded.sql().fetch("select pg_reload_conf()");
    await().until(() -> !commitsAreWarnedOf());
    stopped.set(true);
    cancelling.get();
    canceller.shutdown();
  }

  @Test
  void a_claim_is_not_granted() {
    assertThatThrownBy(() -> Asking.about("not-granted").claim(ledger))
        .isInstanceOf(LedgerAnswerLostException.class);
  }

  @Test
  void a_settlement_is_not_committed() {
    assertThatThrownBy(() -> ledger.settle(lease, Asking.response(), Asking.RESULT))
        .isInstanceOf(LedgerAnswerLostException.class);
  }

  @Test
  void an_effect_in_the_ledgers_transaction_is_not_committed() {
    assertThatThrownBy(
            () ->
                ledger.settleInTransaction(
                    lease, connection -> new Effected(Asking.response(), Asking.RESULT)))
        .isInstanceOf(LedgerAnswerLostException.class);
  }

  private void cancelWhoWaits() {
    await()
        .forever()
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              embedded
                  .sql()
                  .fetch(
                      "select pg_cancel_backend(pid) from pg_stat_activity"
                          + " where wait_event = 'SyncRep'");
              return stopped.get();
            });
  }

  private boolean commitsAreWarnedOf() throws SQLException {
    try (Connection connection = embedded.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_logical_emit_message(true, 'probe', 'x')");
      return statement.getWarnings() != null;
    }
  }
}
