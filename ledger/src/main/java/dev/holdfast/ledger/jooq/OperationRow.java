package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.jspecify.annotations.Nullable;

/**
 * One loaded operation: the columns of {@code operation} as selected, and {@link #JUDGED_AT}, the
 * database time at which they were true (read above the lock, where there was one).
 */
final class OperationRow {
  static final Field<Instant> JUDGED_AT =
      DSL.field(DSL.name("judged_at"), SQLDataType.INSTANT.nullable(false));

  private final Record row;
  private final Instant judgedAt;

  OperationRow(Record row) {
    this(row, Objects.requireNonNull(row.get(JUDGED_AT), JUDGED_AT::getName));
  }

  /** For a row that comes back from an update, judged before it. */
  OperationRow(Record row, Instant judgedAt) {
    this.row = row;
    this.judgedAt = judgedAt;
  }

  Reservation reservation() {
    return new Reservation(
        new Scope(get(OPERATION.SCOPE)),
        OperationId.parse(get(OPERATION.OPERATION_ID)),
        new RequestFingerprint(
            get(OPERATION.FINGERPRINT_SCHEME), Sha256.ofDigest(get(OPERATION.FINGERPRINT_SHA256))),
        new Generation(get(OPERATION.GENERATION)),
        new ResourceId(get(OPERATION.RESOURCE_ID)));
  }

  Epoch epoch() {
    return new Epoch(get(OPERATION.EPOCH));
  }

  Tuple tuple() {
    return Tuple.of(reservation(), epoch());
  }

  OperationState state() {
    return OperationState.of(get(OPERATION.STATE));
  }

  Revision revision() {
    return new Revision(get(OPERATION.REVISION));
  }

  FencingToken token() {
    return new FencingToken(get(OPERATION.FENCING_TOKEN));
  }

  ClaimId claimId() {
    return new ClaimId(get(OPERATION.CLAIM_ID));
  }

  /** Where the last claim came from. */
  AttemptOrigin origin() {
    return new AttemptOrigin(
        get(OPERATION.NAMESPACE),
        row.get(OPERATION.WORKFLOW_ID),
        row.get(OPERATION.RUN_ID),
        row.get(OPERATION.ACTIVITY_ID),
        get(OPERATION.ATTEMPT_NUMBER));
  }

  int openAttempts() {
    return get(OPERATION.OPEN_ATTEMPTS);
  }

  int pendingEvidence() {
    return get(OPERATION.PENDING_EVIDENCE);
  }

  boolean released() {
    return get(OPERATION.RELEASED);
  }

  Instant expiresAt() {
    return get(OPERATION.EXPIRES_AT);
  }

  Instant claimedAt() {
    return get(OPERATION.CLAIMED_AT);
  }

  /** Of the oldest attempt that is still open. */
  Instant firstClaimedAt() {
    return get(OPERATION.FIRST_CLAIMED_AT);
  }

  /** How long the upstream surely still knows the key of the oldest open attempt. */
  Duration keyLeft(OpenAttemptRule rule) {
    return switch (rule) {
      case OpenAttemptRule.SameKeyAgain again ->
          Duration.between(judgedAt(), firstClaimedAt().plus(again.usable()));
      case OpenAttemptRule.RolledBack without -> Duration.ZERO;
      case OpenAttemptRule.Unsure without -> Duration.ZERO;
    };
  }

  Instant horizonAt() {
    return get(OPERATION.HORIZON_AT);
  }

  Instant judgedAt() {
    return judgedAt;
  }

  /** What is left by the operation's own columns; zero or negative once it is over. */
  Duration expiresIn() {
    return Duration.between(judgedAt(), expiresAt());
  }

  @Nullable Instant attentionAt() {
    return row.get(OPERATION.ATTENTION_AT);
  }

  @Nullable Instant settledAt() {
    return row.get(OPERATION.SETTLED_AT);
  }

  @Nullable String parkedReason() {
    return row.get(OPERATION.PARKED_REASON);
  }

  boolean hasReceipt() {
    return row.get(OPERATION.RECEIPT_NUMBER) != null;
  }

  long receiptNumber() {
    return get(OPERATION.RECEIPT_NUMBER);
  }

  long receiptTimeline() {
    return get(OPERATION.RECEIPT_TIMELINE);
  }

  EffectId effect() {
    return new EffectId(get(OPERATION.EFFECT_ID));
  }

  Sha256 responseDigest() {
    return Sha256.ofDigest(get(OPERATION.RESPONSE_SHA256));
  }

  int upstreamStatus() {
    return get(OPERATION.UPSTREAM_STATUS);
  }

  StoredResult result() {
    return ResultColumns.read(
        get(OPERATION.RESULT_KIND), row.get(OPERATION.RESULT), row.get(OPERATION.RESULT_SHA256));
  }

  /**
   * As callers may see it.
   *
   * @param receiptClaim the claim whose dispatch its receipt was made of
   * @param passedOn whether another operation has taken the shared resource since
   */
  OperationView view(String systemId, @Nullable ClaimId receiptClaim, boolean passedOn) {
    return view(systemId, receiptClaim, passedOn, hasReceipt() ? result() : null);
  }

  /** The same without the result, which need not be loaded. */
  OperationView outline(String systemId, @Nullable ClaimId receiptClaim, boolean passedOn) {
    return view(systemId, receiptClaim, passedOn, null);
  }

  private OperationView view(
      String systemId,
      @Nullable ClaimId receiptClaim,
      boolean passedOn,
      @Nullable StoredResult result) {
    return new OperationView(
        reservation(),
        epoch(),
        state(),
        revision(),
        token(),
        openAttempts(),
        pendingEvidence(),
        passedOn ? Duration.ZERO : leaseRest(),
        parkedReason(),
        hasReceipt() ? completion(systemId) : null,
        receiptClaim,
        origin(),
        result,
        failure());
  }

  /** What its receipt proves. */
  Completion completion(String systemId) {
    return new Completion(
        reservation().scope(),
        reservation().operation(),
        reservation().fingerprint(),
        reservation().generation(),
        epoch(),
        effect(),
        new ReceiptNumber(receiptNumber()),
        new LedgerPosition(systemId, receiptTimeline()));
  }

  /** Present in {@code failed}, and in a conflict that was failed before. */
  @Nullable SettledFailure failure() {
    String code = row.get(OPERATION.FAILURE_CODE);
    return code == null ? null : new SettledFailure(code, get(OPERATION.UPSTREAM_STATUS));
  }

  private Duration leaseRest() {
    boolean live = state() == OperationState.IN_PROGRESS && expiresIn().isPositive();
    return live ? expiresIn() : Duration.ZERO;
  }

  private <T> T get(Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
