package dev.holdfast.ledger.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.settlement.Observation.Failed;
import dev.holdfast.ledger.settlement.Observation.Succeeded;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What holds at every step of every short history, and of many long ones. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettlementPropertiesTest {
  private static final int SHORT = 4;

  @Test
  void completed_is_never_lost() {
    holds(
        change ->
            change.before().state() != OperationState.COMPLETED
                || change.after().state() == OperationState.CONFLICT
                || (change.after().state() == OperationState.COMPLETED
                    && Objects.equals(change.after().settled(), change.before().settled())));
  }

  @Test
  void completed_is_reached_under_the_highest_token_alone() {
    holds(
        change ->
            !change.reaches(OperationState.COMPLETED)
                || change.step() == Step.Event.CLAIM
                || change.isByLiveHolder());
  }

  @Test
  void failed_is_reached_only_where_nothing_may_have_happened() {
    holds(
        change ->
            !change.reaches(OperationState.FAILED)
                || (change.isByLiveHolder()
                    && change.after().effects().isEmpty()
                    && (change.after().open().isEmpty() || change.after().rules().pastHorizon())));
  }

  @Test
  void conflict_needs_two_effects_or_a_success_and_a_failure_that_contradict_each_other() {
    holds(
        change ->
            !change.reaches(OperationState.CONFLICT)
                || change.after().effects().size() > 1
                || change.before().state() == OperationState.FAILED
                || hasAttemptThatBothSucceededAndFailed(change.path()));
  }

  @Test
  void a_conflict_stays_until_a_person_decides() {
    holds(
        change ->
            change.before().state() != OperationState.CONFLICT
                || change.after().state() == OperationState.CONFLICT);
  }

  @Test
  void a_mismatch_changes_nothing() {
    holds(change -> !change.isMismatch() || change.after().equals(change.before()));
  }

  @Test
  void an_observation_that_comes_twice_changes_nothing_more() {
    holds(
        change -> !change.isReport() || change.after().after(change.step()).equals(change.after()));
  }

  @Test
  void no_success_is_lost_or_ignored() {
    holds(
        change -> {
          SimulatedOperation end = pickedUp(change.after());
          return end.effects().isEmpty()
              || end.state() == OperationState.COMPLETED
              || end.state() == OperationState.CONFLICT
              || (end.state() == OperationState.FAILED
                  && end.rules().policy().terminal() == TerminalPolicy.FIRST_COMMIT_WINS);
        });
  }

  @Test
  void what_was_not_seen_decides_nothing() {
    holds(
        change ->
            !change.isUnseen() || forClaims(change.after()).equals(forClaims(change.before())));
  }

  @Test
  void a_dead_operation_is_an_unknown_one_whatever_comes_next() {
    holds(
        change ->
            change.step() == Step.Event.RUN_OUT
                || change.before().lease() != LeaseStanding.OVER
                || forClaims(change.after())
                    .equals(forClaims(forClaims(change.before()).after(change.step()))));
  }

  @Test
  void the_order_of_what_was_not_seen_is_irrelevant() {
    Histories.everyShort(
        SHORT - 1,
        change -> {
          SimulatedOperation operation = change.after();
          for (Step one : Step.provisional()) {
            for (Step other : Step.provisional()) {
              if (operation.allows(one)
                  && operation.allows(other)
                  && !operation.after(one).after(other).equals(operation.after(other).after(one))) {
                throw new AssertionError(one + " and " + other + " after " + change);
              }
            }
          }
        });
  }

  @Test
  void under_the_conflict_policies_the_order_of_arrival_decides_nothing() {
    AtomicLong contradictory = new AtomicLong();
    Histories.rules()
        .filter(rules -> rules.policy().equals(SettlementPolicy.STANDARD))
        .flatMap(Histories::starts)
        .forEach(
            start ->
                subsets(Step.definite().stream().filter(start::allows).toList(), SHORT)
                    .filter(steps -> !isVouchedForInVain(start, steps))
                    .peek(steps -> contradictory.addAndGet(contradictions(steps)))
                    .forEach(steps -> oneEnd(start, steps)));
    assertThat(contradictory.get()).isGreaterThan(50);
  }

  /** The limit: what makes a failure final vouches for the other attempts, and may err. */
  @Test
  void a_success_of_an_attempt_that_was_vouched_for_goes_by_what_was_settled_first() {
    SimulatedOperation second =
        Histories.starts(new SimulatedOperation.Rules(SettlementPolicy.STANDARD, true))
            .toList()
            .getLast();
    Step success = new Step.Report(1, Example.succeeded(1, 1));
    Step failure = new Step.Report(2, Example.failed(2));

    assertThat(end(second, List.of(success, failure)).state()).isEqualTo(OperationState.COMPLETED);
    assertThat(end(second, List.of(failure, success)).state()).isEqualTo(OperationState.CONFLICT);
  }

  /** The limit: failed takes the holder's word, with nobody else's attempt open. */
  @Test
  void two_definite_failures_are_lastat_once_or_after_one_more_attempt_by_their_order() {
    SimulatedOperation second =
        Histories.starts(new SimulatedOperation.Rules(SettlementPolicy.STANDARD, false))
            .toList()
            .getLast();
    Step ofThePreempted = new Step.Report(1, Example.failed(1));
    Step ofTheHolder = new Step.Report(2, Example.failed(2));

    SimulatedOperation last = second.after(ofThePreempted).after(ofTheHolder);
    SimulatedOperation open = second.after(ofTheHolder).after(ofThePreempted);

    assertThat(last.state()).isEqualTo(OperationState.FAILED);
    assertThat(open.state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(open.open()).isEmpty();
    SimulatedOperation third = open.after(Step.Event.CLAIM);
    assertThat(third.after(new Step.Report(3, Example.failed(3))).state())
        .isEqualTo(OperationState.FAILED);
  }

  private static void oneEnd(SimulatedOperation start, List<Step> steps) {
    Set<List<Object>> ends =
        orders(steps)
            .map(order -> end(start, order))
            .map(end -> List.<Object>of(end.state(), end.effects()))
            .collect(Collectors.toSet());

    assertThat(ends).as("%s in every order, after %s", steps, start).hasSize(1);
  }

  /** Who comes next hears the same definite no, if any attempt did. */
  private static SimulatedOperation end(SimulatedOperation start, List<Step> order) {
    SimulatedOperation end =
        pickedUp(order.stream().reduce(start, SimulatedOperation::after, (a, b) -> b));
    int fresh = end.claims();
    boolean rejected = matching(order).anyMatch(Failed.class::isInstance);
    return rejected && end.lease() == LeaseStanding.LIVE && fresh > start.claims()
        ? end.after(new Step.Report(fresh, Example.failed(fresh)))
        : end;
  }

  /**
   * Whether the holder's failure may become final on the word that another attempt did nothing (it
   * was refused, or it is past its horizon), which that attempt's success belies.
   */
  private static boolean isVouchedForInVain(SimulatedOperation start, List<Step> steps) {
    return matching(steps)
        .flatMap(seen -> seen instanceof Succeeded s ? Stream.ofNullable(s.attempt()) : Stream.of())
        .anyMatch(
            attempt ->
                steps.stream().anyMatch(step -> isFailureBeside(step, attempt))
                    && (start.rules().pastHorizon()
                        || steps.stream().anyMatch(step -> isRefusalOf(step, attempt))));
  }

  private static boolean isFailureBeside(Step step, ClaimId attempt) {
    return step instanceof Step.Report report
        && report.attempt() != Step.NOBODY
        && report.seen() instanceof Failed failed
        && !attempt.equals(failed.attempt());
  }

  private static boolean isRefusalOf(Step step, ClaimId attempt) {
    return step instanceof Step.Report report
        && report.seen() instanceof Observation.Refused
        && Example.attempt(report.attempt()).equals(attempt);
  }

  private static int contradictions(List<Step> steps) {
    return hasAttemptThatBothSucceededAndFailed(steps) ? 1 : 0;
  }

  private static Stream<List<Step>> subsets(List<Step> steps, int most) {
    if (steps.isEmpty() || most == 0) {
      return Stream.of(List.of());
    }
    List<Step> rest = steps.subList(1, steps.size());
    return Stream.concat(
        subsets(rest, most), subsets(rest, most - 1).map(some -> with(steps.getFirst(), some)));
  }

  private static Stream<List<Step>> orders(List<Step> steps) {
    if (steps.isEmpty()) {
      return Stream.of(List.of());
    }
    return steps.stream()
        .flatMap(
            first ->
                orders(steps.stream().filter(step -> !step.equals(first)).toList())
                    .map(rest -> with(first, rest)));
  }

  private static List<Step> with(Step first, List<Step> rest) {
    return Stream.concat(Stream.of(first), rest.stream()).toList();
  }

  /** What stands there once everybody stopped, the lease ran out and one fresh claim came. */
  private static SimulatedOperation pickedUp(SimulatedOperation operation) {
    SimulatedOperation stopped =
        operation.allows(Step.Event.RUN_OUT) ? operation.after(Step.Event.RUN_OUT) : operation;
    return stopped.isClaimable() ? stopped.after(Step.Event.CLAIM) : stopped;
  }

  /** As a claim sees it: a dead operation in progress is an unknown one. */
  private static SimulatedOperation forClaims(SimulatedOperation operation) {
    return operation.lease() == LeaseStanding.OVER
        ? operation.after(new Step.Report(Step.NOBODY, Example.leaseExpired()))
        : operation;
  }

  private static boolean hasAttemptThatBothSucceededAndFailed(Collection<Step> steps) {
    Set<ClaimId> succeeded =
        matching(steps)
            .flatMap(
                seen -> seen instanceof Succeeded s ? Stream.ofNullable(s.attempt()) : Stream.of())
            .collect(Collectors.toSet());
    return matching(steps)
        .flatMap(seen -> seen instanceof Failed f ? Stream.ofNullable(f.attempt()) : Stream.of())
        .anyMatch(succeeded::contains);
  }

  private static Stream<Observation> matching(Collection<Step> steps) {
    return steps.stream()
        .flatMap(
            step ->
                step instanceof Step.Report report && report.matches()
                    ? Stream.of(report.seen())
                    : Stream.of());
  }

  private static void holds(Predicate<Change> property) {
    AtomicLong looked = new AtomicLong();
    Consumer<Change> look =
        change -> {
          looked.incrementAndGet();
          if (!property.test(change)) {
            throw new AssertionError(change.toString());
          }
        };
    Histories.everyShort(SHORT, look);
    Histories.manyLong(look);
    assertThat(looked.get()).isGreaterThan(500_000);
  }
}
