package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;

import dev.holdfast.ledger.ActOutcome.Waiter;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.OperationId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jooq.Condition;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;

/**
 * Loads what a person's act is judged by and whom it concerns: under the operation's lock, each in
 * a statement after it.
 */
final class ActRows {
  private final DSLContext transaction;
  private final LockedOperation operation;
  private final OperationRow row;

  ActRows(DSLContext transaction, LockedOperation operation) {
    this.transaction = transaction;
    this.operation = operation;
    this.row = operation.row();
  }

  ActFacts facts() {
    List<ActFacts.Open> all =
        new ArrayList<>(
            transaction
                .select(ATTEMPT.CLAIM_ID, ATTEMPT.HORIZON_AT)
                .from(ATTEMPT)
                .where(ofEpoch())
                .orderBy(ATTEMPT.FENCING_TOKEN)
                .fetch(ActRows::attempt));
    all.add(new ActFacts.Open(row.claimId(), row.horizonAt()));
    Set<ClaimId> closed = new AttemptRows(transaction, row).closed();
    List<ActFacts.Open> open =
        all.stream().filter(attempt -> !closed.contains(attempt.claimId())).toList();
    List<SuccessEvidence> stored =
        row.pendingEvidence() == 0 ? List.of() : PendingRows.load(transaction, row);
    return new ActFacts(
        operation,
        ClaimId.random(),
        open,
        all.stream().map(ActFacts.Open::claimId).toList(),
        stored,
        new DefiniteRows(transaction, row).denied(EvidencePickUp.attempts(stored)),
        QuarantineRows.unseen(
            transaction, row.reservation().scope(), row.reservation().operation()));
  }

  private static ActFacts.Open attempt(Record attempt) {
    return new ActFacts.Open(
        new ClaimId(get(attempt, ATTEMPT.CLAIM_ID)), get(attempt, ATTEMPT.HORIZON_AT));
  }

  /** Each run once, in the order of first claims; before the act takes the operation's place. */
  Collection<Waiter> waiting() {
    Set<Waiter> waiting = new LinkedHashSet<>();
    transaction
        .select(ATTEMPT.NAMESPACE, ATTEMPT.WORKFLOW_ID, ATTEMPT.RUN_ID)
        .from(ATTEMPT)
        .where(ofEpoch())
        .orderBy(ATTEMPT.FENCING_TOKEN)
        .forEach(attempt -> waiter(attempt).ifPresent(waiting::add));
    AttemptOrigin last = row.origin();
    String workflow = last.workflowId();
    if (workflow != null) {
      waiting.add(new Waiter(last.namespace(), workflow, last.runId()));
    }
    return waiting;
  }

  /** The workflow that an attempt was claimed for; empty where it was claimed for none. */
  static Optional<Waiter> waiter(Record attempt) {
    return Optional.ofNullable(attempt.get(ATTEMPT.WORKFLOW_ID))
        .map(
            workflow ->
                new Waiter(get(attempt, ATTEMPT.NAMESPACE), workflow, attempt.get(ATTEMPT.RUN_ID)));
  }

  /** Whose gates this operation's receipt opened. */
  List<OperationId> dependents() {
    return row.hasReceipt()
        ? Dependents.of(transaction, row.reservation().scope(), row.receiptNumber())
        : List.of();
  }

  private Condition ofEpoch() {
    return ATTEMPT
        .SCOPE
        .eq(row.reservation().scope().value())
        .and(ATTEMPT.OPERATION_ID.eq(row.reservation().operation().text()))
        .and(ATTEMPT.EPOCH.eq(row.epoch().value()));
  }

  private static <T> T get(Record attempt, Field<T> column) {
    return Objects.requireNonNull(attempt.get(column), column::getName);
  }
}
