package dev.holdfast.ledger.schema;

import static dev.holdfast.ledger.testbed.LedgerAssert.assertThat;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationType;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What the roles walk beside the plain path: deliveries, looks, sweeps and rebinds. */
class RolesWalkTest extends RolesBed {
  private static final OpenAttemptRule OPAQUE = new OpenAttemptRule.ParkWhileOpen();

  RolesWalkTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private Lease dead(Ledger runtime, Reservation operation) {
    Lease lease = claimed(runtime, operation).dispatch();
    ledger
        .sql()
        .execute(
            "update operation set expires_at = ledger_clock() where operation_id = ?",
            operation.operation().text());
    return lease;
  }

  private static AttestedSuccess signed(Reservation operation, int epoch) {
    UpstreamResponse answer =
        new UpstreamResponse(200, true, new byte[] {1}, List.of(), new EffectId("effect"));
    return new AttestedSuccess(
        Tuple.of(operation, new Epoch(epoch)),
        ((Verification.Verified) answer.verifyAttested(UpstreamResponse.DigestRule.OPTIONAL))
            .response(),
        new StoredResult.NoValue(),
        SettlementPolicy.STANDARD);
  }

  private static AttendRequest look(Reservation operation) {
    return new AttendRequest(
        operation.scope(),
        operation.operation(),
        operation.fingerprint(),
        operation.generation(),
        OPAQUE,
        SettlementPolicy.STANDARD,
        new WorkerName("worker"),
        new AttemptOrigin("default", null, null, null, 1));
  }

  private static Rebind to(Reservation operation, Rebind.Mode mode) {
    return new Rebind(mode, Tuple.of(operation, new Epoch(0)), new Generation(1));
  }

  @Test
  void the_runtime_role_takes_deliveries_and_picks_them_up_by_a_look() {
    Ledger runtime = openAs("runtime");
    Reservation operation = reservation("delivered");
    dead(runtime, operation);

    assertThat(runtime.attest(signed(operation, 0))).isInstanceOf(AttestOutcome.Pending.class);
    assertThat(runtime.attest(signed(operation, 5))).isInstanceOf(AttestOutcome.Quarantined.class);
    assertThat(runtime.attend(look(operation)).orElseThrow().state())
        .isEqualTo(OperationState.COMPLETED);
  }

  @Test
  void the_runtime_role_parks_by_a_look() {
    Ledger runtime = openAs("runtime");
    Reservation operation = reservation("looked-after");
    dead(runtime, operation);

    assertThat(runtime.attend(look(operation)).orElseThrow().parkedReason())
        .isEqualTo("open_attempt");
  }

  @Test
  void the_runtime_role_sweeps_demoting_parking_and_picking_up() {
    JooqLedger runtime = openAs("runtime");
    Reservation opaque = reservation("swept");
    Reservation witnessed = reservation("swept-evidence");
    dead(runtime, opaque);
    dead(runtime, witnessed);
    runtime.attest(signed(witnessed, 0));

    runtime
        .sweeper()
        .sweep(
            Sweeper.Terms.standard(new WorkerName("worker"))
                .parkingBy(Map.of(OperationType.of(opaque.operation()), OPAQUE)));

    assertThat(StoredOperation.of(ledger, opaque)).isParkedFor("open_attempt");
    assertThat(StoredOperation.of(ledger, witnessed)).isInState(OperationState.COMPLETED);
  }

  @Test
  void the_operator_carries_adopts_and_re_executes_and_the_runtime_role_goes_on() {
    Ledger runtime = openAs("runtime");
    OperatorActs acts = openAs("operator").acts();
    for (Rebind.Mode mode : Rebind.Mode.values()) {
      Reservation operation = reservation("rebound-" + mode);
      if (mode == Rebind.Mode.CARRY) {
        dead(runtime, operation);
      } else {
        runtime.settle(
            claimed(runtime, operation).dispatch(), response(), new StoredResult.NoValue());
      }

      assertThat(acts.rebind(terms(operation), to(operation, mode)))
          .isInstanceOf(ActOutcome.Done.class);

      Claim next = runtime.claim(request(inNext(operation)));
      assertThat(next)
          .isInstanceOf(mode == Rebind.Mode.ADOPT ? Claim.Replay.class : Claim.Granted.class);
    }
  }

  private static Reservation inNext(Reservation operation) {
    return new Reservation(
        operation.scope(),
        operation.operation(),
        operation.fingerprint(),
        new Generation(1),
        operation.resource());
  }

  @Test
  void the_operator_carries_on_what_a_rotation_left_open() {
    Ledger runtime = openAs("runtime");
    OperatorActs acts = openAs("operator").acts();
    Reservation operation = reservation("superseded");
    BindingName mandate = new BindingName("superseded");
    dead(runtime, operation);
    acts.rotate(
        new Rotation(
            ActId.random(), operation.scope(), mandate, new Generation(0), "ann", "new", false));
    ClaimRequest asks = request(operation, new OpenAttemptRule.AskFirst()).boundTo(mandate);

    assertThat(runtime.claim(asks)).isEqualTo(new Claim.Superseded(new Generation(1)));
    assertThat(StoredOperation.of(ledger, operation)).isParkedFor("superseded");
    assertThat(acts.rebind(terms(operation), to(operation, Rebind.Mode.CARRY)))
        .isInstanceOf(ActOutcome.Done.class);
  }

  @Test
  void the_runtime_role_neither_rebinds_nor_rotates() {
    OperatorActs acts = openAs("runtime").acts();
    Reservation operation = reservation("not-rebound");
    dead(openAs("runtime"), operation);

    assertThatThrownBy(() -> acts.rebind(terms(operation), to(operation, Rebind.Mode.CARRY)))
        .hasStackTraceContaining(NO_RIGHT);
    assertThatThrownBy(
            () ->
                acts.rotate(
                    new Rotation(
                        ActId.random(),
                        operation.scope(),
                        new BindingName("not-rotated"),
                        new Generation(0),
                        "ann",
                        "new",
                        false)))
        .hasStackTraceContaining(NO_RIGHT);
  }

  @Test
  void the_reader_may_not_even_look_after_what_needs_it() {
    Reservation operation = reservation("read-only");
    dead(openAs("runtime"), operation);
    JooqLedger reader = openAs("reader");

    assertThatThrownBy(() -> reader.attend(look(operation))).hasStackTraceContaining(NO_RIGHT);
    assertThatThrownBy(() -> reader.attest(signed(operation, 0))).hasStackTraceContaining(NO_RIGHT);
  }
}
