package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** Somebody else has the row. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LockedOutSettlementTest {
  private static final AttemptEnd REFUSED = new AttemptEnd.Refused(429);

  private final EmbeddedLedger ledger;
  private final SettlementBed bed;

  LockedOutSettlementTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new SettlementBed(ledger);
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void a_row_that_stays_locked_is_given_up_and_nothing_has_happened() throws SQLException {
    Reservation document = fresh();
    Lease lease = bed.claim(document);
    StoredOperation before = bed.stored(document);
    JooqLedger hasty =
        JooqLedger.open(
            ledger.dataSource(), LedgerOptions.standard().answeringWithin(Duration.ofMillis(400)));

    try (Connection other = ledger.superuser()) {
      lock(other, document);
      assertThatThrownBy(() -> hasty.end(lease, REFUSED))
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageContaining("55P03");
    }

    LedgerAssert.assertThat(bed.stored(document)).isUntouchedSince(before).hasObservations();
  }

  @Test
  void a_lease_that_runs_out_behind_a_lock_is_judged_as_over() throws Exception {
    Reservation document = fresh();
    Lease lease = bed.claim(document);
    bed.pass(SettlementBed.LEASE.minusMillis(1500));

    try (Connection other = ledger.superuser();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      lock(other, document);
      Future<EndOutcome> waiting = threads.submit(() -> bed.jooq.end(lease, REFUSED));
      awaitWaiter();
      await().until(() -> isOver(document));
      other.rollback();

      // over: only its own attempt is closed, and the state is left to whoever claims next
      assertThat(waiting.get())
          .isInstanceOfSatisfying(
              EndOutcome.Recorded.class,
              recorded ->
                  assertThat(recorded.operation().state()).isEqualTo(OperationState.IN_PROGRESS));
    }
  }

  @Test
  void a_victim_of_a_deadlock_is_tried_again() throws Exception {
    ResourceId printer = ResourceId.shared("deadlock");
    Reservation document = Rows.reservation("deadlock", printer);
    Lease lease = bed.claim(document);
    PGSimpleDataSource victims = ledger.dataSource();
    victims.setOptions("-c deadlock_timeout=2s");
    JooqLedger jooq = JooqLedger.open(victims, LedgerOptions.standard());

    try (Connection other = ledger.superuser();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      DSLContext wrongOrder = lock(other, document);
      // whoever looks for a deadlock first is its victim
      wrongOrder.execute("set local deadlock_timeout = '1min'");
      Future<EndOutcome> waiting = threads.submit(() -> jooq.end(lease, REFUSED));
      awaitWaiter();
      wrongOrder
          .selectFrom(RESOURCE)
          .where(RESOURCE.RESOURCE_ID.eq(printer.value()))
          .forUpdate()
          .fetch();
      other.rollback();

      assertThat(waiting.get()).isInstanceOf(EndOutcome.Recorded.class);
    }
    LedgerAssert.assertThat(bed.stored(document))
        .isInState(OperationState.UNKNOWN)
        .hasObservations("refused closed");
  }

  private static DSLContext lock(Connection other, Reservation document) throws SQLException {
    other.setAutoCommit(false);
    DSLContext sql = DSL.using(other, SQLDialect.POSTGRES);
    assertThat(
            sql.selectFrom(OPERATION)
                .where(OPERATION.OPERATION_ID.eq(document.operation().text()))
                .forUpdate()
                .fetch())
        .hasSize(1);
    return sql;
  }

  private boolean isOver(Reservation document) {
    return Boolean.TRUE.equals(
        ledger
            .sql()
            .fetchSingle(
                "select expires_at <= ledger_clock() from operation where operation_id = ?",
                document.operation().text())
            .get(0, Boolean.class));
  }

  private void awaitWaiter() {
    await()
        .until(
            () ->
                ledger
                        .sql()
                        .fetchSingle(
                            "select count(*)::int from pg_stat_activity where datname = ?"
                                + " and wait_event_type = 'Lock'",
                            ledger.database())
                        .get(0, Integer.class)
                    == 1);
  }
}
