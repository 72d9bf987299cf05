package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.settlement.Example.Evidence;
import dev.holdfast.ledger.settlement.Observation.Definite;
import dev.holdfast.ledger.settlement.Observation.Succeeded;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An operation with claims, a lease and stored evidence around the pure rules; each step makes a
 * new value.
 *
 * @param claims how many attempts there were; the last is the holder
 * @param open the attempts that may still have an effect
 * @param pending stored successes, in the order of their commits
 * @param effects of every success that was taken in
 */
record SimulatedOperation(
    Rules rules,
    OperationState state,
    LeaseStanding lease,
    int claims,
    Set<Integer> open,
    List<Evidence> pending,
    Set<EffectId> effects,
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
        null);
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
        new CurrentOperation(state, Example.TUPLE, lease, observer, others, settled),
        report.seen(),
        rules.policy());
  }

  private SimulatedOperation carryOut(Step.Report report, Verdict verdict) {
    return switch (verdict) {
      case Verdict.Receipt made -> settle(report);
      case Verdict.Failure made -> settle(report);
      case Verdict.Pending made -> store(report).noting(report).closing(report.attempt());
      case Verdict.Closed made -> closing(report.attempt()).moved(made.nextState());
      case Verdict.Demoted made -> moved(made.nextState());
      case Verdict.Conflicted made -> noting(report).moved(made.nextState());
      case Verdict.Recorded made -> noting(report);
      case Verdict.Quarantined made -> this;
      case Verdict.RenewFirst made -> this;
    };
  }

  private SimulatedOperation claim() {
    return switch (PendingEvidence.pickUp(Example.TUPLE, pending, rules.policy())) {
      case PickUp.Nothing<Evidence> none -> claimedAgain();
      case PickUp.Completes<Evidence> one -> completed(one.evidence().observation());
      case PickUp.Conflicts<Evidence> many -> moved(OperationState.CONFLICT);
    };
  }

  private SimulatedOperation settle(Step.Report report) {
    SimulatedOperation noted = noting(report).closing(report.attempt());
    Definite own = (Definite) report.seen();
    return switch (PendingEvidence.pickUp(Example.TUPLE, pending, own, rules.policy())) {
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
        effects,
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
        effects,
        new SettledEffect(success.effect(), success.attempt()));
  }

  private SimulatedOperation leased(LeaseStanding next) {
    return new SimulatedOperation(rules, state, next, claims, open, pending, effects, settled);
  }

  private SimulatedOperation moved(OperationState next) {
    LeaseStanding left = next == OperationState.IN_PROGRESS ? lease : LeaseStanding.NONE;
    return new SimulatedOperation(rules, next, left, claims, open, pending, effects, settled);
  }

  private SimulatedOperation closing(int attempt) {
    Set<Integer> left = new HashSet<>(open);
    left.remove(attempt);
    return new SimulatedOperation(
        rules, state, lease, claims, Set.copyOf(left), pending, effects, settled);
  }

  private SimulatedOperation store(Step.Report report) {
    Evidence evidence = new Evidence((Succeeded) report.seen());
    List<Evidence> more = Stream.concat(pending.stream(), Stream.of(evidence)).distinct().toList();
    return new SimulatedOperation(rules, state, lease, claims, open, more, effects, settled);
  }

  private SimulatedOperation noting(Step.Report report) {
    if (!(report.seen() instanceof Succeeded success)) {
      return this;
    }
    Set<EffectId> more = new HashSet<>(effects);
    more.add(success.effect());
    return new SimulatedOperation(
        rules, state, lease, claims, open, pending, Set.copyOf(more), settled);
  }
}
