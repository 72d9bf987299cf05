package dev.holdfast.ledger.schema;

import static dev.holdfast.ledger.testbed.LedgerAssert.assertThat;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;

/** The optional roles: each may do its work, and none of another one's. */
class RolesTest extends RolesBed {
  RolesTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void the_runtime_role_walks_the_plain_path() {
    Ledger runtime = openAs("runtime");
    Reservation operation = reservation("plain");

    Lease lease = claimed(runtime, operation).dispatch();
    assertThat(runtime.renew(List.of(lease), LEASE)).containsExactly(lease.claimId());
    SettleOutcome settled = runtime.settle(lease, response(), new StoredResult.NoValue());
    assertThat(settled).isInstanceOf(SettleOutcome.Committed.class);
    assertThat(runtime.release(((SettleOutcome.Committed) settled).permit()))
        .isInstanceOf(ReleaseOutcome.Released.class);

    assertThat(runtime.claim(request(operation))).isInstanceOf(Claim.Replay.class);
    assertThat(StoredOperation.of(ledger, operation))
        .isCompletedWith(response().digest())
        .isReleased();
  }

  @Test
  void the_runtime_role_gives_undispatched_leases_back() {
    Ledger runtime = openAs("runtime");
    Reservation operation = reservation("abandoned");

    assertThat(runtime.abandon(claimed(runtime, operation))).isEqualTo(AbandonOutcome.ABANDONED);
    assertThat(claimed(runtime, operation)).isNotNull();
  }

  @Test
  void the_runtime_role_takes_shared_resources_and_gives_them_up() {
    Ledger runtime = openAs("runtime");
    Reservation first = reservation("first", ResourceId.shared("printer"));
    Reservation second = reservation("second", ResourceId.shared("printer"));

    assertThat(runtime.abandon(claimed(runtime, first))).isEqualTo(AbandonOutcome.ABANDONED);
    Lease lease = claimed(runtime, second).dispatch();
    assertThat(runtime.renew(List.of(lease), LEASE)).containsExactly(lease.claimId());
    SettleOutcome settled = runtime.settle(lease, response(), new StoredResult.NoValue());
    assertThat(runtime.release(((SettleOutcome.Committed) settled).permit()))
        .isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(claimed(runtime, first)).isNotNull();
  }

  @Test
  void the_runtime_role_records_ends_and_claims_again() {
    Ledger runtime = openAs("runtime");
    Reservation operation = reservation("refused");

    assertThat(runtime.end(claimed(runtime, operation).dispatch(), new AttemptEnd.Refused(429)))
        .isInstanceOf(EndOutcome.Recorded.class);
    claimed(runtime, operation);

    assertThat(StoredOperation.of(ledger, operation))
        .isInState(OperationState.IN_PROGRESS)
        .hasFormerAttempts(1);
  }

  @Test
  void the_runtime_role_asks_about_open_attempts_and_parks_them() {
    Ledger runtime = openAs("runtime");
    Reservation operation = reservation("asked");
    runtime.end(claimed(runtime, operation).dispatch(), new AttemptEnd.Unclear("timed_out"));

    Claim asks = runtime.claim(request(operation, new OpenAttemptRule.AskFirst()));
    assertThat(asks).isInstanceOf(Claim.Reconcile.class);
    assertThat(
            runtime.reconcile(
                ((Claim.Reconcile) asks).lease(), new Finding.NotKnownYet("in_flight")))
        .isEqualTo(new ReconcileOutcome.GivenBack());
    assertThat(runtime.claim(request(operation, new OpenAttemptRule.ParkWhileOpen())))
        .isEqualTo(new Claim.Parked("open_attempt"));

    assertThat(StoredOperation.of(ledger, operation)).isParkedFor("open_attempt");
  }

  static Stream<String> actsOfPersonsAndOwners() {
    return Stream.of(
        Violation.recordedAct("done", "purge"),
        Violation.recordedAct("unknown", "resolve"),
        Violation.recordedChange("unknown", 2),
        "insert into binding values ('tenant', 'b', 1, now())",
        Violation.recordedRotation("b", 1),
        "update operation set fingerprint_sha256 = sha256('x')",
        "update operation set generation = generation + 1",
        "update operation set resource_id = ':x'",
        "update operation set epoch = epoch + 1",
        "update operation set scope = 'x'",
        "update operation set operation_id = 'x'",
        "update receipt set effect_id = 'x'",
        "update attempt set worker = 'x'",
        "update observation set kind = 'failed'",
        "update ledger_schema set minimum_library = 0",
        "delete from operation",
        "delete from receipt",
        "delete from attempt",
        "delete from observation",
        "delete from resource",
        "truncate operation",
        "alter table operation disable trigger all",
        "drop trigger operation_moves_forward on operation",
        "create or replace function ledger_clock() returns timestamptz language sql as 'select"
            + " now()'",
        "create table ours (id integer)",
        "set session_replication_role = replica");
  }

  @ParameterizedTest
  @MethodSource("actsOfPersonsAndOwners")
  void the_runtime_role_is_refused_every_act_of_a_person(String act) {
    assertThat(refusal("runtime", act)).isEqualTo(NO_RIGHT);
  }

  @ParameterizedTest
  @MethodSource("actsOfPersonsAndOwners")
  void the_reader_is_refused_them_too(String act) {
    assertThat(refusal("reader", act)).isEqualTo(NO_RIGHT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"operation", "resource", "attempt", "observation", "receipt"})
  void the_reader_reads_and_writes_nothing(String table) {
    assertThat(refusal("reader", "select count(*) from " + table)).isEmpty();
    assertThat(refusal("reader", "update " + table + " set scope = scope")).isEqualTo(NO_RIGHT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"reader", "operator"})
  void who_may_read_lists_what_waits_and_reads_its_story(String role) {
    OperatorActs acts = openAs(role).acts();

    assertThat(acts.list(AwaitingQuery.all())).isNotNull();
    assertThat(acts.show(reservation("done").scope(), reservation("done").operation())).isPresent();
  }

  @Test
  void the_operator_resolves_and_reopens_what_the_runtime_role_parked() {
    Ledger runtime = openAs("runtime");
    Reservation operation = reservation("decided");
    ClaimRequest opaque = request(operation, new OpenAttemptRule.ParkWhileOpen());
    Claim claim = runtime.claim(opaque);
    runtime.end(((Claim.Granted) claim).lease().dispatch(), new AttemptEnd.Unclear("timed_out"));
    assertThat(runtime.claim(request(operation))).isEqualTo(new Claim.Parked("open_attempt"));
    OperatorActs acts = openAs("operator").acts();

    Decision happened =
        new Decision.Happened(
            null, 200, Sha256.ofUtf8("shown"), new StoredResult.NoValue(), opaque.claimId());
    assertThat(acts.resolve(terms(operation), happened)).isInstanceOf(ActOutcome.Done.class);
    assertThat(runtime.claim(request(operation))).isInstanceOf(Claim.Replay.class);
    assertThat(acts.reopen(terms(operation), true)).isInstanceOf(ActOutcome.Done.class);

    claimed(runtime, operation);
    assertThat(StoredOperation.of(ledger, operation))
        .isInState(OperationState.IN_PROGRESS)
        .hasReceipts(1);
  }

  @Test
  void the_runtime_role_neither_resolves_nor_reopens() {
    OperatorActs acts = openAs("runtime").acts();

    assertThatThrownBy(() -> acts.reopen(terms(reservation("done")), true))
        .hasStackTraceContaining(NO_RIGHT);
  }

  @Test
  void the_operator_does_a_persons_acts_and_still_has_to_record_them() {
    String purge = "delete from operation where operation_id = 'export:done'";

    assertThat(refusal("operator", purge)).isEqualTo("HF001");
    assertThat(refusal("operator", Violation.recordedAct("done", "purge") + "; " + purge))
        .isEmpty();
    assertThat(refusal("operator", "alter table operation disable trigger all"))
        .isEqualTo(NO_RIGHT);
  }

  @Test
  void the_operator_rotates_a_binding_and_the_runtime_role_claims_under_it() {
    Reservation operation = reservation("bound");
    BindingName mandate = new BindingName("mandate");
    Rotation rotation =
        new Rotation(
            ActId.random(), operation.scope(), mandate, new Generation(0), "ann", "new", false);

    assertThat(openAs("operator").acts().rotate(rotation))
        .isEqualTo(new RotateOutcome.Rotated(new Generation(1), false));

    Ledger runtime = openAs("runtime");
    assertThat(runtime.currentBinding(operation.scope(), mandate)).isEqualTo(new Generation(1));
    assertThat(runtime.claim(request(operation).boundTo(mandate)))
        .isEqualTo(new Claim.Superseded(new Generation(1)));
  }

  @Test
  void the_migrator_changes_the_schema_in_the_owners_name() {
    assertThat(
            refusal(
                "migrator",
                "alter table operation add column later integer; create table later (id integer);"
                    + " do $$ begin assert (select tableowner from pg_tables where tablename ="
                    + " 'later') = 'holdfast_owner'; end $$"))
        .isEmpty();
    JooqLedger.migrate(sourceOf("migrator"));
  }

  @Test
  void nobody_without_a_role_reads_anything() throws SQLException {
    try (Connection connection = ledger.dataSource().getConnection();
        Statement sql = connection.createStatement()) {
      connection.setAutoCommit(false);
      sql.execute("create role stranger_to_" + ledger.database());
      sql.execute("set role stranger_to_" + ledger.database());

      assertThatThrownBy(() -> sql.executeQuery("select * from holdfast.operation"))
          .isInstanceOf(PSQLException.class)
          .extracting(e -> ((PSQLException) e).getSQLState())
          .isEqualTo(NO_RIGHT);
      connection.rollback();
    }
  }
}
