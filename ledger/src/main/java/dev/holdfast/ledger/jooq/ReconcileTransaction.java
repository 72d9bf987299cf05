package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Reports what was found out about open attempts: locks, judges in Java, compares and sets, as the
 * slow path of settlement does, which settles what happened. Safe for use by many threads.
 */
final class ReconcileTransaction {
  private final LedgerTransaction transactions;
  private final OperationLock lock;
  private final Settling settling;

  ReconcileTransaction(LedgerTransaction transactions, PostgresClock clock, Settling settling) {
    this.transactions = transactions;
    this.lock = new OperationLock(clock);
    this.settling = settling;
  }

  /** What a claim that was just granted must find out about; empty where rivals were in the way. */
  Optional<List<OpenAttempt>> open(ClaimRequest request) {
    return transactions.commit(request.leaseFor(), open -> open(open.dsl(), request));
  }

  private Optional<List<OpenAttempt>> open(DSLContext transaction, ClaimRequest request) {
    return lock.lock(transaction, request.reservation())
        .map(operation -> new AttemptRows(transaction, operation.row()).open())
        .map(
            open ->
                open.stream()
                    .filter(attempt -> !attempt.claimId().equals(request.claimId()))
                    .toList());
  }

  ReconcileOutcome reconcile(ReconcilingLease lease, Finding finding) {
    Optional<UndispatchedLease> became = Mint.dispatching(lease);
    if (became.isPresent()) {
      return again(became.get(), finding);
    }
    return switch (finding) {
      case Finding.Happened happened when isOfAnotherGeneration(lease, happened) ->
          commit(lease, asked -> asked.onlyAPersonCanTell(ParkReason.OTHER_GENERATION));
      case Finding.Happened happened -> settle(lease, happened);
      case Finding.DidNotHappen(var finality) ->
          commit(lease, asked -> asked.didNotHappen(finality));
      case Finding.OnlyAPersonCanTell(String reason) ->
          commit(lease, asked -> asked.onlyAPersonCanTell(reason));
      case Finding.NotKnownYet(String reason) -> givenBack(lease, reason);
    };
  }

  /** A lease that may dispatch may have done so: nothing but the same finding fits. */
  private static ReconcileOutcome again(UndispatchedLease became, Finding finding) {
    if (finding instanceof Finding.DidNotHappen) {
      return new ReconcileOutcome.MayDispatch(became);
    }
    throw new IllegalStateException("this lease may dispatch already");
  }

  /** Over or not, it is given back. */
  private ReconcileOutcome givenBack(ReconcilingLease lease, String reason) {
    ReconcileOutcome outcome = commit(lease, asked -> asked.notKnownYet(reason));
    return outcome instanceof ReconcileOutcome.Lost ? new ReconcileOutcome.GivenBack() : outcome;
  }

  /** What is to be answered once the commit is acknowledged; empty where a compare missed. */
  private ReconcileOutcome commit(
      ReconcilingLease lease, Function<Asked, Optional<Supplier<ReconcileOutcome>>> judge) {
    return transactions
        .commit(lease.expiry().rest(), open -> judged(open, lease, judge))
        .map(Supplier::get)
        .orElseGet(ReconcileOutcome.Contended::new);
  }

  private Optional<Supplier<ReconcileOutcome>> judged(
      OpenTransaction open,
      ReconcilingLease lease,
      Function<Asked, Optional<Supplier<ReconcileOutcome>>> judge) {
    Optional<Asked> asked =
        lock.lock(open.dsl(), lease.reservation())
            .filter(operation -> isOfSameTuple(operation, lease))
            .map(operation -> Asked.load(open, operation, lease));
    return asked.isEmpty() ? Optional.of(ReconcileOutcome.Lost::new) : judge.apply(asked.get());
  }

  private static boolean isOfSameTuple(LockedOperation operation, ReconcilingLease lease) {
    return operation.row().reservation().equals(lease.reservation())
        && operation.row().epoch().equals(lease.epoch());
  }

  /**
   * What an attempt of an older generation did was authorized by that one: whether it may complete
   * the newer one is a person's to say. So is what nobody can tell the attempt of.
   */
  private static boolean isOfAnotherGeneration(ReconcilingLease lease, Finding.Happened happened) {
    OpenAttempt found = found(lease, happened);
    List<OpenAttempt> suspects = found == null ? Mint.openOf(lease) : List.of(found);
    return suspects.stream()
        .anyMatch(attempt -> !attempt.generation().equals(lease.reservation().generation()));
  }

  private ReconcileOutcome settle(ReconcilingLease lease, Finding.Happened happened) {
    SettleOutcome outcome =
        settling.settleFound(
            Mint.settlingOf(lease), happened.response(), happened.result(), found(lease, happened));
    return switch (outcome) {
      case SettleOutcome.MarginTooThin(var left) -> new ReconcileOutcome.MarginTooThin(left);
      case SettleOutcome.Contended() -> new ReconcileOutcome.Contended();
      case SettleOutcome.Committed done -> new ReconcileOutcome.Settled(done);
      case SettleOutcome.Preempted late -> new ReconcileOutcome.Settled(late);
      case SettleOutcome.LeaseExpired late -> new ReconcileOutcome.Settled(late);
      case SettleOutcome.Quarantined other -> new ReconcileOutcome.Settled(other);
      case SettleOutcome.AlreadySettled before -> new ReconcileOutcome.Settled(before);
    };
  }

  /**
   * The attempt whose effect it is: as named, by its effect, or the only open one. Its own witness
   * must find the same effect, so the asking claim's id is none.
   */
  private static @Nullable OpenAttempt found(ReconcilingLease lease, Finding.Happened happened) {
    List<OpenAttempt> open = Mint.openOf(lease);
    if (happened.response().effect().value().equals(lease.claimId().toString())) {
      throw new IllegalArgumentException("the asking claim has no effect that could be found");
    }
    if (happened.attempt() != null) {
      return open.stream()
          .filter(attempt -> attempt.claimId().equals(happened.attempt()))
          .findAny()
          .orElseThrow(
              () -> new IllegalArgumentException("the effect is of none of the open attempts"));
    }
    return open.stream()
        .filter(attempt -> attempt.effect().equals(happened.response().effect()))
        .findAny()
        .orElse(open.size() == 1 ? Objects.requireNonNull(open.getFirst()) : null);
  }
}
