package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATOR_ACT;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESERVATION_HISTORY;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.WorkerName;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/** Turns the rows of one operation's histories into what a person is shown. */
record StoryReader(Scope scope, OperationId operation, String systemId) {

  OperationStory.Attempt attempt(Record row, Predicate<ClaimId> closed) {
    ClaimId claim = new ClaimId(get(row, ATTEMPT.CLAIM_ID));
    return new OperationStory.Attempt(
        claim,
        new FencingToken(get(row, ATTEMPT.FENCING_TOKEN)),
        new Epoch(get(row, ATTEMPT.EPOCH)),
        new WorkerName(get(row, ATTEMPT.WORKER)),
        new AttemptOrigin(
            get(row, ATTEMPT.NAMESPACE),
            row.get(ATTEMPT.WORKFLOW_ID),
            row.get(ATTEMPT.RUN_ID),
            row.get(ATTEMPT.ACTIVITY_ID),
            get(row, ATTEMPT.ATTEMPT_NUMBER)),
        get(row, ATTEMPT.CLAIMED_AT),
        get(row, ATTEMPT.DISPATCH_DEADLINE_AT),
        get(row, ATTEMPT.HORIZON_AT),
        !closed.test(claim));
  }

  OperationStory.Seen seen(Record row) {
    return new OperationStory.Seen(
        get(row, OBSERVATION.OBSERVER),
        ifPresent(row.get(OBSERVATION.CLAIM_ID), ClaimId::new),
        get(row, OBSERVATION.KIND),
        row.get(OBSERVATION.REASON),
        get(row, OBSERVATION.DISPOSITION),
        get(row, OBSERVATION.CLOSES_ATTEMPT),
        new Epoch(get(row, OBSERVATION.EPOCH)),
        new Generation(get(row, OBSERVATION.GENERATION)),
        row.get(OBSERVATION.GRADE),
        row.get(OBSERVATION.UPSTREAM_STATUS),
        ifPresent(row.get(OBSERVATION.RESPONSE_SHA256), Sha256::ofDigest),
        ifPresent(row.get(OBSERVATION.EFFECT_ID), EffectId::new),
        get(row, OBSERVATION.OBSERVED_AT));
  }

  OperationStory.Proof proof(Record row) {
    ClaimId committedUnder = new ClaimId(get(row, RECEIPT.CLAIM_ID));
    UUID evidenceOf = row.get(RECEIPT.EVIDENCE_CLAIM_ID);
    Receipt receipt =
        new Receipt(
            completion(row),
            new ResourceId(get(row, RECEIPT.RESOURCE_ID)),
            new FencingToken(get(row, RECEIPT.FENCING_TOKEN)),
            committedUnder,
            Sha256.ofDigest(get(row, RECEIPT.RESPONSE_SHA256)),
            get(row, RECEIPT.COMMITTED_AT),
            Duration.ofMillis(get(row, RECEIPT.MARGIN_LEFT_MS)));
    return new OperationStory.Proof(
        receipt,
        get(row, RECEIPT.SOURCE),
        evidenceOf == null ? committedUnder : new ClaimId(evidenceOf),
        get(row, RECEIPT.UPSTREAM_STATUS));
  }

  private Completion completion(Record row) {
    return new Completion(
        scope,
        operation,
        new RequestFingerprint(
            get(row, RECEIPT.FINGERPRINT_SCHEME),
            Sha256.ofDigest(get(row, RECEIPT.FINGERPRINT_SHA256))),
        new Generation(get(row, RECEIPT.GENERATION)),
        new Epoch(get(row, RECEIPT.EPOCH)),
        new EffectId(get(row, RECEIPT.EFFECT_ID)),
        new ReceiptNumber(get(row, RECEIPT.RECEIPT_NUMBER)),
        new LedgerPosition(systemId, get(row, RECEIPT.TIMELINE)));
  }

  OperationStory.Act act(Record row) {
    return new OperationStory.Act(
        new ActId(get(row, OPERATOR_ACT.ACT_ID)),
        get(row, OPERATOR_ACT.VERB),
        row.get(OPERATOR_ACT.DECISION),
        get(row, OPERATOR_ACT.FORCED),
        get(row, OPERATOR_ACT.ACTOR),
        get(row, OPERATOR_ACT.REASON),
        new Revision(get(row, OPERATOR_ACT.REVISION)),
        ifPresent(row.get(OPERATOR_ACT.RECEIPT_NUMBER), ReceiptNumber::new),
        ifPresent(row.get(OPERATOR_ACT.EVIDENCE_SHA256), Sha256::ofDigest),
        row.get(OPERATOR_ACT.PARKED_REASON),
        get(row, OPERATOR_ACT.ACTED_AT));
  }

  OperationStory.Change change(Record row) {
    return new OperationStory.Change(
        get(row, RESERVATION_HISTORY.ACT),
        new Revision(get(row, RESERVATION_HISTORY.REVISION)),
        new RequestFingerprint(
            get(row, RESERVATION_HISTORY.FINGERPRINT_SCHEME),
            Sha256.ofDigest(get(row, RESERVATION_HISTORY.FINGERPRINT_SHA256))),
        new Generation(get(row, RESERVATION_HISTORY.GENERATION)),
        new ResourceId(get(row, RESERVATION_HISTORY.RESOURCE_ID)),
        new Epoch(get(row, RESERVATION_HISTORY.EPOCH)),
        ifPresent(row.get(RESERVATION_HISTORY.RECEIPT_NUMBER), ReceiptNumber::new),
        get(row, RESERVATION_HISTORY.ACTOR),
        get(row, RESERVATION_HISTORY.REASON),
        get(row, RESERVATION_HISTORY.CHANGED_AT));
  }

  private static <T, R> @Nullable R ifPresent(@Nullable T value, Function<T, R> to) {
    return value == null ? null : to.apply(value);
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
