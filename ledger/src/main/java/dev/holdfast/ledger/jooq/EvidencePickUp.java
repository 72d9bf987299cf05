package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.settlement.PendingEvidence;
import dev.holdfast.ledger.settlement.PickUp;
import dev.holdfast.ledger.settlement.Tuple;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;

/**
 * A claim's pick-up of pending evidence: token, receipt and the end of its lease in one
 * transaction; nothing is dispatched.
 */
final class EvidencePickUp {
  private final OperationLock lock;
  private final VerdictWriter writer;
  private final PostgresClock clock;
  private final String systemId;

  EvidencePickUp(OperationLock lock, VerdictWriter writer, PostgresClock clock, String systemId) {
    this.lock = lock;
    this.writer = writer;
    this.clock = clock;
    this.systemId = systemId;
  }

  /** Empty where a compare-and-set missed. */
  Optional<Claim> in(DSLContext transaction, PickUpClaim request) {
    Optional<LockedOperation> awaiting =
        lock.lock(transaction, request.reservation())
            .filter(operation -> awaitsPickUp(operation, request));
    return awaiting.isEmpty()
        ? Optional.of(new Claim.Contended())
        : settle(transaction, awaiting.get(), request);
  }

  /** The guard; the claim statement says why not, when it is asked again. */
  private static boolean awaitsPickUp(LockedOperation operation, PickUpClaim request) {
    OperationRow row = operation.row();
    return row.pendingEvidence() > 0
        && row.reservation().equals(request.reservation())
        && !operation.isHeld()
        && !operation.isResourceTaken();
  }

  /** The same of an operation that is locked, and awaits it. */
  Optional<Claim> settle(DSLContext transaction, LockedOperation operation, PickUpClaim request) {
    OperationRow row = operation.row();
    Tuple tuple = row.tuple();
    List<SuccessEvidence> stored = PendingRows.load(transaction, row);
    Set<ClaimId> denied = new DefiniteRows(transaction, row).denied(attempts(stored));
    return switch (PendingEvidence.pickUp(tuple, stored, denied, request.policy())) {
      case PickUp.Completes<SuccessEvidence>(SuccessEvidence evidence) ->
          complete(transaction, operation, request, evidence);
      case PickUp.Conflicts<SuccessEvidence> two ->
          OperationUpdate.apply(transaction, new Changes(row).conflict())
              .map(conflict -> new Claim.Conflicted());
      case PickUp.Nothing<SuccessEvidence> none ->
          throw new IllegalStateException(
              row.reservation().operation() + " counts evidence that nobody stored");
    };
  }

  /** Whose they are, as far as the evidence tells. */
  static Set<ClaimId> attempts(List<SuccessEvidence> stored) {
    return stored.stream()
        .flatMap(success -> Stream.ofNullable(success.attempt()))
        .collect(Collectors.toUnmodifiableSet());
  }

  private Optional<Claim> complete(
      DSLContext transaction,
      LockedOperation operation,
      PickUpClaim request,
      SuccessEvidence evidence) {
    Changes changes =
        new Changes(operation.row())
            .claim(Taking.of(request, operation.freshToken()))
            .complete(evidence, clock.timeline())
            .releaseLease();
    if (isSentAgain(transaction, operation.row(), request)) {
      changes.closeAttempt();
    }
    return OperationUpdate.apply(transaction, changes)
        .map(
            row -> {
              writer.withReceipt(transaction, row, evidence, request.leaseFor());
              ResourceUpdate.pass(transaction, row, request.worker());
              return new Claim.Replay(row.completion(systemId), row.result());
            });
  }

  /** A claim that was granted before, the answer lost: its attempt ends here, undispatched. */
  private static boolean isSentAgain(
      DSLContext transaction, OperationRow row, PickUpClaim request) {
    return row.claimId().equals(request.claimId())
        && !new AttemptRows(transaction, row).isClosed(request.claimId());
  }
}
