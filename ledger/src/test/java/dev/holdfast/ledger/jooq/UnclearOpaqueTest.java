package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingOperation.Cause;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OpenAttemptRule.AskFirst;
import dev.holdfast.ledger.OpenAttemptRule.ParkWhileOpen;
import dev.holdfast.ledger.OpenAttemptRule.RolledBack;
import dev.holdfast.ledger.OpenAttemptRule.SameKeyAgain;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Of an opaque upstream's attempt that ends unclear a person hears at once, from that one alone.
 */
class UnclearOpaqueTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();
  private static final AttemptEnd UNCLEAR = new AttemptEnd.Unclear("timed_out");
  private static final AwaitingQuery PARKED = AwaitingQuery.all().waitingFor(Set.of(Cause.PARKED));

  private final Asking opaque =
      Asking.about("unclear-" + KEYS.incrementAndGet()).under(new ParkWhileOpen());

  UnclearOpaqueTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  private static OperationView recorded(EndOutcome outcome) {
    if (outcome instanceof EndOutcome.Recorded(OperationView operation)) {
      return operation;
    }
    throw new AssertionError("not recorded: " + outcome);
  }

  @Test
  void it_is_parked_in_the_same_commit_and_listed() {
    Lease lease = opaque.dispatched(ledger);

    OperationView view = recorded(ledger.end(lease, UNCLEAR));

    assertThat(view.parkedReason()).isEqualTo("open_attempt");
    operation(opaque)
        .isParkedFor("open_attempt")
        .wasLastClaimedBy(lease)
        .hasOpenAttempts(1)
        .hasObservations("timed_out demoted");
    assertThat(ledger.acts().list(PARKED))
        .filteredOn(one -> one.operation().equals(opaque.reservation().operation()))
        .singleElement()
        .extracting(AwaitingOperation::since)
        .isNotNull();
    assertThat(opaque.claim(ledger)).isEqualTo(new Claim.Parked("open_attempt"));
  }

  static Stream<Disturbance> losses() {
    return Stream.of(LOSE_ANSWER, LOSE_REQUEST);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void its_lost_answer_is_the_same_answer(Disturbance how) {
    Lease lease = opaque.dispatched(ledger);
    lose(COMMIT, how);

    assertThat(recorded(ledger.end(lease, UNCLEAR)).parkedReason()).isEqualTo("open_attempt");

    assertThat(proxy.isSpent()).isTrue();
    operation(opaque).isParkedFor("open_attempt").hasObservations("timed_out demoted");
  }

  @Test
  void a_lease_that_is_over_already_parks_as_well() {
    Lease lease = opaque.dispatched(ledger);
    clock.shift(Asking.LEASE);

    assertThat(recorded(ledger.end(lease, UNCLEAR)).parkedReason()).isEqualTo("open_attempt");
  }

  static Stream<OpenAttemptRule> others() {
    return Stream.of(
        new SameKeyAgain(Asking.KEY_HORIZON, Duration.ofMinutes(1), new ParkWhileOpen()),
        new SameKeyAgain(Asking.KEY_HORIZON, Duration.ofMinutes(1), new AskFirst()),
        new AskFirst(),
        new RolledBack());
  }

  @ParameterizedTest
  @MethodSource("others")
  void where_the_next_attempt_can_tell_it_is_not_parked(OpenAttemptRule rule) {
    Asking other = opaque.under(rule);

    OperationView view = recorded(ledger.end(other.dispatched(ledger), UNCLEAR));

    assertThat(view.parkedReason()).isNull();
    operation(other).isInState(OperationState.UNKNOWN).has(OPERATION.ATTENTION_AT, null);
    assertThat(other.claim(ledger)).isInstanceOf(Claim.Held.class);
  }

  static Stream<AttemptEnd> known() {
    return Stream.of(
        new AttemptEnd.Refused(429), new AttemptEnd.Failed(new SettledFailure("no_such", 404)));
  }

  @ParameterizedTest
  @MethodSource("known")
  void what_is_known_parks_nothing(AttemptEnd end) {
    assertThat(recorded(ledger.end(opaque.dispatched(ledger), end)).parkedReason()).isNull();

    operation(opaque).hasOpenAttempts(0).has(OPERATION.ATTENTION_AT, null);
  }

  /** No person is asked what a witness has told. */
  @Test // H4
  void beside_a_witness_it_is_not_parked() {
    Lease first = opaque.dispatched(ledger);
    ledger.end(first, UNCLEAR);
    ActOutcome act =
        ledger.acts().resolve(ActBed.terms(opaque.reservation()), new Decision.DidNotHappen(true));
    assertThat(act).isInstanceOf(ActOutcome.Done.class);
    Lease second = opaque.dispatched(ledger);
    ledger.settle(first, Asking.response(), Asking.RESULT);

    assertThat(recorded(ledger.end(second, UNCLEAR)).parkedReason()).isNull();

    operation(opaque).hasPendingEvidence(1);
    assertThat(opaque.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void its_shared_resource_is_free_for_others() {
    ResourceId room = ResourceId.shared("unclear-room");
    Asking first = Asking.about("unclear-in-room", room).under(new ParkWhileOpen());
    ledger.end(first.dispatched(ledger), UNCLEAR);

    operation(first).isParkedFor("open_attempt");
    assertThat(Asking.about("next-to-unclear", room).claim(ledger))
        .isInstanceOf(Claim.Granted.class);
  }
}
