package dev.holdfast.ledger.testbed;

import static dev.holdfast.ledger.testbed.LedgerAssert.assertThat;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.settlement.OperationState;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TestbedTest {
  private final EmbeddedLedger ledger;

  TestbedTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @ParameterizedTest
  @ValueSource(strings = {"fsync", "full_page_writes", "synchronous_commit"})
  void the_server_keeps_what_it_acknowledges(String setting) {
    assertThat(ledger.sql().fetchSingle("select current_setting(?)", setting).get(0))
        .isEqualTo("on");
  }

  @Test
  void sessions_do_not_run_in_utc() {
    assertThat(ledger.sql().fetchSingle("show timezone").get(0)).isEqualTo("Asia/Kathmandu");
  }

  @Test
  void two_ledgers_share_no_rows() {
    try (EmbeddedLedger other = EmbeddedLedger.fresh()) {
      int stood = ledger.sql().fetchCount(DSL.table("binding_change"));
      ledger.sql().execute(change("b"));

      assertThat(ledger.sql().fetchCount(DSL.table("binding_change"))).isEqualTo(stood + 1);
      assertThat(other.sql().fetchCount(DSL.table("binding_change"))).isZero();
    }
  }

  @Test
  void rows_stand_in_any_state() {
    Rows rows = Rows.of(ledger);
    rows.inProgress(reservation("in-progress")).insert();
    rows.expired(reservation("expired")).insert();
    rows.unknown(reservation("unknown")).insert();
    rows.parked(reservation("parked"), "opaque").insert();
    rows.completed(reservation("completed")).insert();
    rows.failed(reservation("failed")).insert();
    rows.conflict(reservation("conflict")).insert();
    rows.attempt(reservation("expired")).insert();
    rows.pendingEvidence(reservation("expired"), UUID.randomUUID(), "effect-2").insert();
    rows.resource(reservation("shared", ResourceId.shared("printer"))).insert();

    assertThat(stored("in-progress")).isInState(OperationState.IN_PROGRESS).isNotReleased();
    assertThat(stored("expired")).hasFormerAttempts(1).hasObservations("succeeded pending");
    assertThat(stored("unknown")).isInState(OperationState.UNKNOWN).hasOpenAttempts(0);
    assertThat(stored("parked")).isParkedFor("opaque").hasOpenAttempts(1);
    assertThat(stored("completed")).isCompletedWith(Rows.RESPONSE).isReleased();
    assertThat(stored("failed")).isInState(OperationState.FAILED).hasReceipts(0);
    assertThat(stored("conflict")).isInState(OperationState.CONFLICT).hasReceipts(1);
    assertThat(stored("nobody")).isAbsent();
    assertThat(stored("failed")).isUntouchedSince(stored("failed"));
  }

  @Test
  void the_clock_can_be_shifted_stopped_and_restored() {
    try (LedgerClock clock = LedgerClock.of(ledger)) {
      clock.shift(Duration.ofHours(-3));
      assertThat(clock.now()).isBefore(Instant.now().minus(Duration.ofHours(2)));

      Instant stopped = clock.stop();
      assertThat(clock.now()).isEqualTo(stopped).isEqualTo(clock.now());
    }
    assertThat(
            ledger
                .sql()
                .fetchSingle("select abs(extract(epoch from ledger_clock() - now())) < 60")
                .get(0))
        .isEqualTo(true);
  }

  @Test
  void the_proxy_counts_round_trips_and_names_statements() throws SQLException {
    try (CountingProxy proxy = CountingProxy.before(ledger);
        Connection connection = ledger.dataSource(proxy).getConnection()) {
      proxy.reset();

      for (int i = 0; i < 7; i++) {
        on(connection).fetchSingle("select ?::int", i);
      }
      connection.setAutoCommit(false);
      on(connection).fetchSingle("select 'in a transaction'");
      connection.commit();

      assertThat(proxy.roundTrips()).hasSize(9);
      assertThat(proxy.roundTrips().subList(0, 7))
          .allMatch(trip -> trip.mentions("SELECT $1::int"));
      assertThat(proxy.roundTrips().get(7).statements())
          .containsExactly("BEGIN", "select 'in a transaction'");
      assertThat(proxy.roundTrips().get(8).statements()).containsExactly("COMMIT");
    }
  }

  @Test
  void what_is_cut_before_the_server_does_not_happen() throws SQLException {
    try (CountingProxy proxy = CountingProxy.before(ledger);
        Connection connection = ledger.dataSource(proxy).getConnection()) {
      proxy.disturbNext(trip -> trip.mentions("cut_early"), new Disturbance.CutBeforeServer());

      assertThatThrownBy(() -> insertChange(connection, "cut_early"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(changes("cut_early")).isZero();
  }

  @Test
  void what_is_cut_before_the_answer_has_happened() throws SQLException {
    try (CountingProxy proxy = CountingProxy.before(ledger);
        Connection connection = ledger.dataSource(proxy).getConnection()) {
      proxy.disturbNext(trip -> trip.mentions("cut_late"), new Disturbance.CutBeforeAnswer());

      assertThatThrownBy(() -> insertChange(connection, "cut_late"))
          .isInstanceOf(SQLException.class);
      assertThat(proxy.isSpent()).isTrue();
    }
    assertThat(changes("cut_late")).isEqualTo(1);
  }

  @Test
  void a_swallowed_answer_runs_into_the_network_timeout() throws SQLException {
    try (CountingProxy proxy = CountingProxy.before(ledger);
        Connection connection = ledger.dataSource(proxy).getConnection()) {
      connection.setNetworkTimeout(Runnable::run, 200);
      proxy.disturbNext(trip -> trip.mentions("swallowed"), new Disturbance.SwallowAnswer());

      assertThatThrownBy(() -> insertChange(connection, "swallowed"))
          .isInstanceOf(SQLException.class);
    }
    assertThat(changes("swallowed")).isEqualTo(1);
  }

  @Test
  void a_held_answer_comes_when_it_is_let_go() throws Exception {
    CountDownLatch letGo = new CountDownLatch(1);
    try (CountingProxy proxy = CountingProxy.before(ledger);
        Connection connection = ledger.dataSource(proxy).getConnection()) {
      proxy.disturbNext(trip -> trip.mentions("held"), new Disturbance.HoldAnswer(letGo));
      Future<?> answer = inBackground(() -> insertChange(connection, "held"));

      await().until(() -> changes("held") == 1);
      assertThat(answer.isDone()).isFalse();
      letGo.countDown();
      answer.get();
    }
  }

  private StoredOperation stored(String key) {
    return StoredOperation.of(ledger, reservation(key));
  }

  private static DSLContext on(Connection connection) {
    return DSL.using(connection, SQLDialect.POSTGRES);
  }

  /** A row that no guard asks anything of. */
  private static String change(String name) {
    return "insert into holdfast.binding_change values ('tenant', '"
        + name
        + "', 1, gen_random_uuid(), 'actor', 'reason', now())";
  }

  private int changes(String name) {
    return ledger.sql().fetchCount(DSL.table("binding_change"), DSL.field("name").eq(name));
  }

  private static Void insertChange(Connection connection, String name) throws SQLException {
    try (var statement = connection.createStatement()) {
      int rows = statement.executeUpdate(change(name));
      assertThat(rows).isEqualTo(1);
    }
    return null;
  }

  private static Future<?> inBackground(Callable<Void> task) {
    FutureTask<Void> future = new FutureTask<>(task);
    Thread.ofVirtual().start(future);
    return future;
  }
}
