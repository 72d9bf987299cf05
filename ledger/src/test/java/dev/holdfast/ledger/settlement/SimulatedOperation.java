package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.settlement.Example.Evidence;
import dev.holdfast.ledger.settlement.Observation.Definite;
import dev.holdfast.ledger.settlement.Observation.Failed;
import dev.holdfast.ledger.settlement.Observation.InProgress;
import dev.holdfast.ledger.settlement.Observation.LeaseExpired;
import dev.holdfast.ledger.settlement.Observation.Refused;
import dev.holdfast.ledger.settlement.Observation.Succeeded;
import dev.holdfast.ledger.settlement.Observation.TimedOut;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation with claims, a lease and stored evidence around the pure rules; each step makes a
 * new value.
 *
 * @param claims how many attempts there were; the last is the holder
 * @param open the attempts that may still have an effect
 * @param pending stored successes, in the order of their commits
 * @param seen every success that was taken in
 * @param denied the attempts that reported a definite failure
 */
record SimulatedOperation(
    Rules rules,
    OperationState state,
    LeaseStanding lease,
    int claims,
    Set<Integer> open,
    List<Evidence> pending,
    Set<Succeeded> seen,
    Set<ClaimId> denied,
    @Nullable SettledEffect settled) {

  private static final int CLAIMS = 4;

  /**
   * What does not change.
   *
   * @param pastHorizon whether older attempts are past their horizon when a newer one is sent
   */
  record Rules(SettlementPolicy policy, boolean pastHorizon) {}

  /** Claimed once. */
  static SimulatedOperation claimed(Rules rules) {
    return new SimulatedOperation(
        rules,
        OperationState.IN_PROGRESS,
        LeaseStanding.LIVE,
        1,
        Set.of(1),
        List.of(),
        Set.of(),
        Set.of(),
        null);
  }

  /** The effects that there are. */
  Set<EffectId> effects() {
    return seen.stream().map(Succeeded::effect).collect(Collectors.toUnmodifiableSet());
  }

  boolean allows(Step step) {
    return switch (step) {
      case Step.Event.CLAIM -> isClaimable() && claims < CLAIMS;
      case Step.Event.RUN_OUT -> lease == LeaseStanding.LIVE || lease == LeaseStanding.THIN;
      case Step.Event.GROW_THIN -> lease == LeaseStanding.LIVE;
      case Step.Report report -> report.attempt() <= claims;
    };
  }

  boolean isClaimable() {
    return state == OperationState.UNKNOWN || lease == LeaseStanding.OVER;
  }

  SimulatedOperation after(Step step) {
    return switch (step) {
      case Step.Event.CLAIM -> claim();
      case Step.Event.RUN_OUT -> leased(LeaseStanding.OVER);
      case Step.Event.GROW_THIN -> leased(LeaseStanding.THIN);
      case Step.Report report -> carryOut(report, verdictOn(report));
    };
  }

  private Verdict verdictOn(Step.Report report) {
    ObserverStanding observer =
        report.attempt() == Step.NOBODY
            ? ObserverStanding.NONE
            : report.attempt() == claims ? ObserverStanding.HOLDER : ObserverStanding.PREEMPTED;
    boolean others =
        !rules.pastHorizon() && open.stream().anyMatch(other -> other != report.attempt());
    return Settlement.settle(
        new CurrentOperation(
            state, Example.TUPLE, lease, observer, others, withWitnesses(), denied),
        report.seen(),
        rules.policy());
  }

  /** With all who saw the settled effect. */
  private @Nullable SettledEffect withWitnesses() {
    if (settled == null) {
      return null;
    }
    EffectId effect = settled.effect();
    Stream<ClaimId> witnesses =
        seen.stream()
            .filter(success -> success.effect().equals(effect))
            .flatMap(success -> Stream.ofNullable(success.attempt()));
    return new SettledEffect(
        effect,
        Stream.concat(settled.attempts().stream(), witnesses)
            .collect(Collectors.toUnmodifiableSet()));
  }

  private SimulatedOperation carryOut(Step.Report report, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Receipt made -> settle(report);
      case Verdict.Failure made -> settle(report);
      case Verdict.Pending made -> store(report).noting(report).closing(report.attempt());
      case Verdict.Closed made -> noting(report).closing(report.attempt()).moved(made.nextState());
      case Verdict.Demoted made -> moved(made.nextState());
      case Verdict.Conflicted made -> noting(report).moved(made.nextState());
      case Verdict.Recorded made -> noting(report);
      case Verdict.Quarantined made -> this;
      case Verdict.RenewFirst made -> this;
    };
  }

  private SimulatedOperation claim() {
    return switch (PendingEvidence.pickUp(Example.TUPLE, pending, denied, rules.policy())) {
      case PickUp.Nothing<Evidence> none -> claimedAgain();
      case PickUp.Completes<Evidence> one -> completed(one.evidence().observation());
      case PickUp.Conflicts<Evidence> many -> moved(OperationState.CONFLICT);
    };
  }

  private SimulatedOperation settle(Step.Report report) {
    SimulatedOperation noted = noting(report).closing(report.attempt());
    Definite own = (Definite) report.seen();
    return switch (PendingEvidence.pickUp(Example.TUPLE, pending, own, denied, rules.policy())) {
      case PickUp.Nothing<Evidence> none ->
          own instanceof Succeeded success
              ? noted.completed(success)
              : noted.moved(OperationState.FAILED);
      case PickUp.Completes<Evidence> one -> noted.completed(one.evidence().observation());
      case PickUp.Conflicts<Evidence> many -> noted.moved(OperationState.CONFLICT);
    };
  }

  private SimulatedOperation claimedAgain() {
    Set<Integer> opened = new HashSet<>(open);
    opened.add(claims + 1);
    return new SimulatedOperation(
        rules,
        OperationState.IN_PROGRESS,
        LeaseStanding.LIVE,
        claims + 1,
        Set.copyOf(opened),
        pending,
        seen,
        denied,
        settled);
  }

  private SimulatedOperation completed(Succeeded success) {
    return new SimulatedOperation(
        rules,
        OperationState.COMPLETED,
        LeaseStanding.NONE,
        claims,
        open,
        List.of(),
        seen,
        denied,
        new SettledEffect(success.effect(), success.attempt()));
  }

  private SimulatedOperation leased(LeaseStanding next) {
    return new SimulatedOperation(rules, state, next, claims, open, pending, seen, denied, settled);
  }

  private SimulatedOperation moved(OperationState next) {
    LeaseStanding left = next == OperationState.IN_PROGRESS ? lease : LeaseStanding.NONE;
    return new SimulatedOperation(rules, next, left, claims, open, pending, seen, denied, settled);
  }

  private SimulatedOperation closing(int attempt) {
    Set<Integer> left = new HashSet<>(open);
    left.remove(attempt);
    return new SimulatedOperation(
        rules, state, lease, claims, Set.copyOf(left), pending, seen, denied, settled);
  }

  private SimulatedOperation store(Step.Report report) {
    Evidence evidence = new Evidence((Succeeded) report.seen());
    List<Evidence> more = Stream.concat(pending.stream(), Stream.of(evidence)).distinct().toList();
    return new SimulatedOperation(rules, state, lease, claims, open, more, seen, denied, settled);
  }

  private SimulatedOperation noting(Step.Report report) {
    return switch (report.seen()) {
      case Succeeded success -> noting(with(seen, success), denied);
      case Failed failure when failure.attempt() != null ->
          noting(seen, with(denied, failure.attempt()));
      case Failed ofNobody -> this;
      case Refused none -> this;
      case InProgress none -> this;
      case TimedOut none -> this;
      case LeaseExpired none -> this;
    };
  }

  private SimulatedOperation noting(Set<Succeeded> more, Set<ClaimId> no) {
    return new SimulatedOperation(rules, state, lease, claims, open, pending, more, no, settled);
  }

  private static <T> Set<T> with(Set<T> some, T one) {
    return Stream.concat(some.stream(), Stream.of(one)).collect(Collectors.toUnmodifiableSet());
  }
}
