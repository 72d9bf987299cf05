package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.TransactionalEffect;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.RoundTrip;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** An effect that is SQL of the ledger's own database: done with its receipt, or not at all. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransactionalSettlementTest {
  private final EmbeddedLedger ledger;
  private final SettlementBed bed;
  private final Reservation booking = fresh();

  TransactionalSettlementTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new SettlementBed(ledger, ledger.pool(1));
  }

  @BeforeEach
  void createTheUsersTable() {
    ledger.sql().execute("create table if not exists public.booking (id varchar(300))");
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void effect_and_receipt_are_one_commit() throws Exception {
    Lease lease = bed.claim(booking);

    SettleOutcome outcome = bed.jooq.settleInTransaction(lease, this::book);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            SettleOutcome.Committed.class,
            committed ->
                assertThat(bed.jooq.release(committed.permit()))
                    .isInstanceOf(ReleaseOutcome.Released.class));
    isBooked(1);
    operation().isCompletedWith(response("booked").digest()).hasReceipts(1).hasOpenAttempts(0);
    assertThat(bed.jooq.claim(request(booking)))
        .isInstanceOfSatisfying(
            Claim.Replay.class, replay -> assertThat(replay.result()).isEqualTo(result("booked")));
  }

  @Test
  void plain_jdbc_and_jooq_see_the_same_transaction_and_the_users_search_path() throws Exception {
    Lease lease = bed.claim(booking);

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("insert into booking values (?)")) {
            insert.setString(1, key());
            assertThat(insert.executeUpdate()).isEqualTo(1);
          }
          int seen =
              DSL.using(connection, SQLDialect.POSTGRES)
                  .fetchCount(
                      DSL.table(DSL.name("booking")),
                      DSL.field(DSL.name("id"), SQLDataType.VARCHAR).eq(key()));
          assertThat(seen).isEqualTo(1);
          return booked();
        });

    isBooked(1);
  }

  @Test
  void an_effect_that_throws_leaves_nothing_behind() {
    Lease lease = bed.claim(booking);
    StoredOperation before = bed.stored(booking);

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      throw new IllegalArgumentException("sold out");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sold out");
    isBooked(0);
    operation().isUntouchedSince(before).hasObservations();
  }

  @Test
  void after_a_rollback_the_same_lease_may_try_again() throws Exception {
    Lease lease = bed.claim(booking);
    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      throw new SQLException("broken", "P0001");
                    }))
        .isInstanceOf(SQLException.class);

    assertThat(bed.jooq.settleInTransaction(lease, this::book))
        .isInstanceOf(SettleOutcome.Committed.class);
    isBooked(1);
  }

  // case I1
  @Test
  void an_effect_that_goes_on_after_a_failed_statement_is_rolled_back_and_said_to_be() {
    Lease lease = bed.claim(booking);

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      try (Statement statement = connection.createStatement()) {
                        statement.execute("select 1 / 0");
                      } catch (SQLException swallowed) {
                        assertThat(swallowed.getSQLState()).isEqualTo("22012");
                      }
                      return booked();
                    }))
        .isInstanceOf(LedgerUnavailableException.class);
    isBooked(0);
    operation().isInState(OperationState.IN_PROGRESS).hasReceipts(0);
  }

  // case I1
  @Test
  void a_commit_that_the_server_answers_by_rollback_is_no_commit() throws SQLException {
    // this driver raises nothing then, whatever raiseExceptionOnSilentRollback says
    try (Connection connection = ledger.dataSource().getConnection()) {
      OpenTransaction open =
          OpenTransaction.on(
              connection, SettlementBed.SQL.configuration(), CommitLevel.ON, Duration.ofSeconds(5));
      try (Statement statement = connection.createStatement()) {
        statement.execute("insert into public.booking values ('silent')");
        assertThatThrownBy(() -> statement.execute("select 1 / 0"))
            .isInstanceOf(SQLException.class);
      }

      assertThatThrownBy(open::commit)
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageContaining("ROLLBACK");
      open.close();
    }
    assertThat(count("silent")).isZero();
  }

  @Test
  void what_would_end_or_outlast_the_transaction_is_refused() throws Exception {
    Lease lease = bed.claim(booking);

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          isRefused(connection::commit);
          isRefused(connection::rollback);
          isRefused(connection::close);
          isRefused(() -> connection.setAutoCommit(true));
          isRefused(() -> connection.setReadOnly(true));
          isRefused(() -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
          try (Statement statement = connection.createStatement()) {
            isRefused(() -> statement.getConnection().commit());
          }
          return book(connection);
        });

    isBooked(1);
  }

  @Test
  void a_savepoint_is_the_effects_own() throws Exception {
    Lease lease = bed.claim(booking);

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          var before = connection.setSavepoint();
          insert(connection);
          connection.rollback(before);
          return book(connection);
        });

    isBooked(1);
  }

  @Test
  void a_connection_that_was_kept_answers_nothing_afterwards() throws Exception {
    Lease lease = bed.claim(booking);
    AtomicReference<Connection> kept = new AtomicReference<>();

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          kept.set(connection);
          return book(connection);
        });

    assertThatThrownBy(() -> kept.get().createStatement())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("over");
  }

  @Test
  void an_effect_that_ends_the_transaction_by_sql_is_told_so() {
    Lease lease = bed.claim(booking);

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      try (Statement statement = connection.createStatement()) {
                        statement.execute("commit");
                      }
                      return booked();
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended the ledger's transaction");
    operation().hasReceipts(0);
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

  @Test
  void a_lost_answer_to_the_commit_is_read_back() throws Exception {
    try (CountingProxy proxy = CountingProxy.before(ledger)) {
      JooqLedger jooq = JooqLedger.open(ledger.dataSource(proxy), LedgerOptions.standard());
      Lease lease = bed.claim(booking);
      proxy.reset();
      proxy.disturbNext(TransactionalSettlementTest::commits, new Disturbance.CutBeforeAnswer());

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

  private static List<Object> state(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      var settings =
          DSL.using(connection, SQLDialect.POSTGRES)
              .fetch(
                  "select name, setting from pg_settings where name in ('lock_timeout',"
                      + " 'statement_timeout', 'idle_in_transaction_session_timeout',"
                      + " 'transaction_timeout', 'synchronous_commit', 'search_path',"
                      + " 'transaction_isolation', 'default_transaction_isolation',"
                      + " 'transaction_read_only') order by name")
              .intoMaps();
      List<Object> state =
          List.of(
              connection.getAutoCommit(),
              connection.getTransactionIsolation(),
              connection.isReadOnly(),
              connection.getNetworkTimeout(),
              settings);
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      return state;
    }
  }

  private static boolean commits(RoundTrip trip) {
    return trip.statements().stream().anyMatch(text -> text.equalsIgnoreCase("commit"));
  }

  private TransactionalEffect mustNotRun() {
    return connection -> {
      throw new AssertionError("the effect was run");
    };
  }

  private Effected fail(Connection connection) throws SQLException {
    insert(connection);
    throw new IllegalArgumentException("sold out");
  }

  private Effected book(Connection connection) throws SQLException {
    insert(connection);
    return booked();
  }

  private static Effected booked() {
    return new Effected(response("booked"), result("booked"));
  }

  private void insert(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("insert into booking values (?)")) {
      insert.setString(1, key());
      insert.executeUpdate();
    }
  }

  private interface Refused {
    void call() throws SQLException;
  }

  private static void isRefused(Refused call) {
    assertThatThrownBy(call::call).isInstanceOf(SQLException.class).hasMessageContaining("refused");
  }

  private void isBooked(int times) {
    assertThat(count(key())).isEqualTo(times);
  }

  private int count(String id) {
    return ledger
        .sql()
        .fetchCount(
            DSL.table(DSL.name("public", "booking")),
            DSL.field(DSL.name("id"), SQLDataType.VARCHAR).eq(id));
  }

  private String key() {
    return booking.operation().text();
  }

  private LedgerAssert operation() {
    return LedgerAssert.assertThat(bed.stored(booking));
  }
}
