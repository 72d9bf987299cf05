package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What becomes of the effect in a transaction when the lease, the session or the answer is lost.
 */
class TransactionalSettlementLossTest extends TransactionBed {
  TransactionalSettlementLossTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void a_thin_margin_is_told_before_anything_is_done() throws Exception {
    LeaseMargin wide = new LeaseMargin(SettlementBed.LEASE.multipliedBy(2));
    Lease lease = bed.claim(request(booking, SettlementPolicy.STANDARD, wide));

    assertThat(bed.jooq.settleInTransaction(lease, mustNotRun()))
        .isInstanceOf(SettleOutcome.MarginTooThin.class);
  }

  @Test
  void a_lease_that_grew_thin_meanwhile_rolls_the_effect_back() throws Exception {
    LeaseMargin half = new LeaseMargin(SettlementBed.LEASE.dividedBy(2));
    Lease lease = bed.claim(request(booking, SettlementPolicy.STANDARD, half));

    assertThat(
            bed.jooq.settleInTransaction(
                lease,
                connection -> {
                  bed.pass(Duration.ofSeconds(20));
                  return book(connection);
                }))
        .isInstanceOf(SettleOutcome.MarginTooThin.class);
    isBooked(0);
    operation().isInState(OperationState.IN_PROGRESS).hasObservations();
  }

  @Test
  void a_lease_that_ran_out_meanwhile_rolls_the_effect_back_and_stores_nothing() throws Exception {
    Lease lease = bed.claim(booking);

    assertThat(
            bed.jooq.settleInTransaction(
                lease,
                connection -> {
                  bed.letLeasesRunOut();
                  return book(connection);
                }))
        .isInstanceOf(SettleOutcome.LeaseExpired.class);
    isBooked(0);
    operation().hasPendingEvidence(0).hasObservations();
    // whoever comes next need not ask anybody
    assertThat(bed.jooq.settleInTransaction(bed.claim(booking), this::book))
        .isInstanceOf(SettleOutcome.Committed.class);
    isBooked(1);
  }

  @Test
  void a_zombie_does_nothing() throws Exception {
    Lease zombie = bed.claim(booking);
    bed.letLeasesRunOut();
    assertThat(bed.jooq.settleInTransaction(zombie, mustNotRun()))
        .isInstanceOf(SettleOutcome.LeaseExpired.class);

    Lease rival = bed.claim(booking);
    assertThat(bed.jooq.settleInTransaction(zombie, mustNotRun()))
        .isInstanceOf(SettleOutcome.Preempted.class);
    bed.jooq.settleInTransaction(rival, this::book);

    assertThat(bed.jooq.settleInTransaction(zombie, mustNotRun()))
        .isInstanceOfSatisfying(
            SettleOutcome.AlreadySettled.class,
            settled -> assertThat(settled.operation().receiptClaim()).isEqualTo(rival.claimId()));
    isBooked(1);
    operation().hasObservations();
  }

  @Test
  void the_rest_of_the_lease_bounds_the_effect() {
    Lease lease = bed.claim(booking);
    bed.pass(SettlementBed.LEASE.minusSeconds(4));

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      try (Statement statement = connection.createStatement()) {
                        statement.execute("select pg_sleep(60)");
                      }
                      return booked();
                    }))
        .isInstanceOf(SQLException.class);
    isBooked(0);
  }

  @Test
  void nobody_else_gets_the_row_while_the_effect_runs() throws Exception {
    Lease lease = bed.claim(booking);

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          assertThatThrownBy(
                  () ->
                      ledger
                          .sql()
                          .execute(
                              "select 1 from operation where operation_id = ? for update nowait",
                              booking.operation().text()))
              .hasMessageContaining("could not obtain lock");
          return book(connection);
        });

    isBooked(1);
  }

  @ParameterizedTest // case I5
  @ValueSource(ints = {1, 2})
  void a_lost_answer_to_the_commit_is_read_back(int times) throws Exception {
    try (CountingProxy proxy = CountingProxy.before(ledger)) {
      JooqLedger jooq = JooqLedger.open(ledger.dataSource(proxy), LedgerOptions.standard());
      Lease lease = bed.claim(booking);
      proxy.reset();
      for (int lost = 0; lost < times; lost++) {
        proxy.disturbNext(TransactionalSettlementTest::commits, new Disturbance.CutBeforeAnswer());
      }

      assertThat(jooq.settleInTransaction(lease, this::book))
          .isInstanceOfSatisfying(
              SettleOutcome.Committed.class,
              committed -> assertThat(committed.receipt().claimId()).isEqualTo(lease.claimId()));
      assertThat(proxy.isSpent()).isTrue();
    }
    isBooked(1);
    operation().isCompletedWith(response("booked").digest());
    assertThat(bed.stored(booking).get(OPERATION.DURABLE_CONFIRMED_AT)).isNotNull();
  }

  @Test
  void a_commit_that_never_arrived_is_unknown_and_never_failed() {
    try (CountingProxy proxy = CountingProxy.before(ledger)) {
      JooqLedger jooq = JooqLedger.open(ledger.dataSource(proxy), LedgerOptions.standard());
      Lease lease = bed.claim(booking);
      proxy.reset();
      proxy.disturbNext(TransactionalSettlementTest::commits, new Disturbance.CutBeforeServer());

      assertThatThrownBy(() -> jooq.settleInTransaction(lease, this::book))
          .isInstanceOf(LedgerAnswerLostException.class);
      assertThat(proxy.isSpent()).isTrue();
    }
    isBooked(0);
    operation().isInState(OperationState.IN_PROGRESS).hasReceipts(0);
  }

  @Test
  void a_session_that_dies_in_the_effect_did_nothing() {
    Lease lease = bed.claim(booking);

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      int backend =
                          DSL.using(connection, SQLDialect.POSTGRES)
                              .fetchSingle("select pg_backend_pid()")
                              .get(0, Integer.class);
                      ledger.sql().fetch("select pg_terminate_backend(?)", backend);
                      return booked();
                    }))
        .isInstanceOf(LedgerUnavailableException.class);
    isBooked(0);
    operation().hasReceipts(0);
  }

  @Test
  void it_is_durable_although_session_and_effect_ask_for_less() throws Exception {
    PGSimpleDataSource careless = ledger.dataSource();
    careless.setOptions("-c synchronous_commit=off");
    JooqLedger jooq = JooqLedger.open(careless, LedgerOptions.standard());
    Lease lease = bed.claim(booking);

    jooq.settleInTransaction(
        lease,
        connection -> {
          try (Statement statement = connection.createStatement()) {
            statement.execute("set local synchronous_commit = off");
          }
          return book(connection);
        });

    assertThat(bed.stored(booking).receipts().getFirst().get("synchronous_commit")).isEqualTo("on");
  }

  // case I9
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void connections_go_back_as_they_came(boolean autoCommit) throws Exception {
    HikariConfig config = new HikariConfig();
    config.setDataSource(ledger.dataSource());
    config.setMaximumPoolSize(1);
    config.setAutoCommit(autoCommit);
    config.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
    try (HikariDataSource pool = new HikariDataSource(config)) {
      JooqLedger jooq = JooqLedger.open(pool, LedgerOptions.standard());
      List<Object> before = state(pool);

      for (int i = 0; i < 5; i++) {
        Reservation one = fresh();
        Lease lease = bed.claim(one);
        assertThatThrownBy(() -> jooq.settleInTransaction(lease, this::fail))
            .isInstanceOf(IllegalArgumentException.class);
        assertThat(jooq.settleInTransaction(lease, this::book))
            .isInstanceOf(SettleOutcome.Committed.class);
        jooq.end(lease, new AttemptEnd.Refused(429));
      }

      assertThat(state(pool)).isEqualTo(before);
    }
  }
}
