package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Sequences.RECEIPT_NUMBERS;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * New values for the columns of one operation. Each method is one thing that may happen to it;
 * which of them do is the verdict's business. The revision rises whatever happens.
 */
final class Changes {
  private static final Logger LOG = LoggerFactory.getLogger(Changes.class);

  private final OperationRow before;
  private final Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
  private int openAttempts;
  private boolean endsLease;

  Changes(OperationRow before) {
    this.before = before;
    this.openAttempts = before.openAttempts();
    values.put(OPERATION.REVISION, before.revision().value() + 1);
  }

  OperationRow before() {
    return before;
  }

  Map<Field<?>, @Nullable Object> values() {
    return values;
  }

  /** Whether anything but the revision is to change. */
  boolean isEmpty() {
    return values.size() == 1;
  }

  boolean endsLease() {
    return endsLease;
  }

  /** The histories are the truth; a counter that says otherwise is put right. */
  Changes recount(int open) {
    if (openAttempts != open) {
      LOG.warn(
          "{} counted {} open attempts and has {}",
          before.reservation().operation(),
          openAttempts,
          open);
      openAttempts = open;
      values.put(OPERATION.OPEN_ATTEMPTS, open);
    }
    return this;
  }

  /** Closes one attempt that was open; where it was the last, nobody need be asked about it. */
  Changes closeAttempt() {
    openAttempts--;
    values.put(OPERATION.OPEN_ATTEMPTS, openAttempts);
    if (openAttempts == 0 && before.parkedReason() != null) {
      values.put(OPERATION.PARKED_REASON, null);
      values.putIfAbsent(OPERATION.ATTENTION_AT, before.pendingEvidence() > 0 ? awaited() : null);
    }
    return this;
  }

  /** Nothing that was sent before happened: the key's life starts with the current claim. */
  Changes restartKey() {
    values.put(OPERATION.FIRST_CLAIMED_AT, before.claimedAt());
    return this;
  }

  /** A person must say what happened; after the attempts that are closed with it. */
  Changes park(String reason) {
    values.put(OPERATION.PARKED_REASON, reason);
    values.put(OPERATION.ATTENTION_AT, awaited());
    return this;
  }

  /** Nobody is awaited any more; pending evidence there is none of. */
  Changes unpark() {
    values.put(OPERATION.PARKED_REASON, null);
    values.put(OPERATION.ATTENTION_AT, null);
    return this;
  }

  /** Closes every attempt of the epoch. */
  Changes closeAttempts() {
    while (openAttempts > 0) {
      closeAttempt();
    }
    return this;
  }

  /** One more success awaits its pick-up. */
  Changes addPending() {
    values.put(OPERATION.PENDING_EVIDENCE, before.pendingEvidence() + 1);
    values.put(OPERATION.ATTENTION_AT, awaited());
    return this;
  }

  /** The lease ends as over: its request may still be on its way. */
  Changes endLease() {
    Instant now = before.judgedAt();
    values.put(OPERATION.EXPIRES_AT, before.expiresAt().isBefore(now) ? before.expiresAt() : now);
    endsLease = true;
    return this;
  }

  /** The lease is given up: nothing of it is under way any more. */
  Changes releaseLease() {
    values.put(OPERATION.RELEASED, true);
    endsLease = true;
    return this;
  }

  Changes becomeUnknown() {
    values.put(OPERATION.STATE, OperationState.UNKNOWN.word());
    return this;
  }

  Changes fail(SettledFailure failure) {
    values.put(OPERATION.FAILURE_CODE, failure.code());
    values.put(OPERATION.UPSTREAM_STATUS, failure.status());
    return settle(OperationState.FAILED, null);
  }

  Changes conflict() {
    return settle(OperationState.CONFLICT, awaited());
  }

  Changes complete(SuccessEvidence evidence, Field<Long> timeline) {
    ResultColumns result = ResultColumns.of(evidence.result());
    values.put(OPERATION.RESULT_KIND, result.kind());
    values.put(OPERATION.RESULT, result.encoded());
    values.put(OPERATION.RESULT_SHA256, result.digest());
    values.put(OPERATION.RESPONSE_SHA256, evidence.response().digest().bytes());
    values.put(OPERATION.UPSTREAM_STATUS, evidence.response().status());
    values.put(OPERATION.EFFECT_ID, evidence.response().effect().value());
    values.put(OPERATION.RECEIPT_NUMBER, RECEIPT_NUMBERS.nextval());
    values.put(OPERATION.RECEIPT_TIMELINE, timeline);
    return settle(OperationState.COMPLETED, null);
  }

  /** Settled for good: all that was pending has been looked at, and nothing is parked. */
  private Changes settle(OperationState state, @Nullable Instant attention) {
    values.put(OPERATION.STATE, state.word());
    values.put(OPERATION.PENDING_EVIDENCE, 0);
    values.put(OPERATION.PARKED_REASON, null);
    values.put(OPERATION.ATTENTION_AT, attention);
    Instant settled = before.settledAt();
    values.put(OPERATION.SETTLED_AT, settled == null ? before.judgedAt() : settled);
    return this;
  }

  /** A claim that dispatches nothing: it takes the attempt's place to settle what others saw. */
  Changes claim(Taking taking) {
    AttemptOrigin origin = taking.origin();
    Instant now = before.judgedAt();
    values.put(OPERATION.FENCING_TOKEN, taking.token().value());
    values.put(OPERATION.CLAIM_ID, taking.claimId().value());
    values.put(OPERATION.WORKER, taking.worker().value());
    values.put(OPERATION.EXPIRES_AT, now.plus(taking.leaseFor()));
    values.put(OPERATION.RELEASE_SHA256, null);
    values.put(OPERATION.DURABLE_CONFIRMED_AT, null);
    values.put(OPERATION.NAMESPACE, origin.namespace());
    values.put(OPERATION.WORKFLOW_ID, origin.workflowId());
    values.put(OPERATION.RUN_ID, origin.runId());
    values.put(OPERATION.ACTIVITY_ID, origin.activityId());
    values.put(OPERATION.ATTEMPT_NUMBER, origin.attemptNumber());
    values.put(OPERATION.CLAIMED_AT, now);
    values.put(OPERATION.DISPATCH_DEADLINE_AT, now);
    values.put(OPERATION.HORIZON_AT, now);
    return this;
  }

  /** A person says that what its receipt proves is the truth. */
  Changes stand() {
    values.put(OPERATION.STATE, OperationState.COMPLETED.word());
    values.put(OPERATION.ATTENTION_AT, null);
    return this;
  }

  /** What settled it before is no longer its outcome; before another one is set. */
  Changes forgetOutcome() {
    for (Field<?> column :
        List.of(
            OPERATION.RESULT_KIND,
            OPERATION.RESULT,
            OPERATION.RESULT_SHA256,
            OPERATION.RESPONSE_SHA256,
            OPERATION.UPSTREAM_STATUS,
            OPERATION.EFFECT_ID,
            OPERATION.FAILURE_CODE,
            OPERATION.RECEIPT_NUMBER,
            OPERATION.RECEIPT_TIMELINE)) {
      values.put(column, null);
    }
    return this;
  }

  /** What it was completed with counts anew, under a receipt of its own. */
  Changes adopt(Field<Long> timeline) {
    values.put(OPERATION.RECEIPT_NUMBER, RECEIPT_NUMBERS.nextval());
    values.put(OPERATION.RECEIPT_TIMELINE, timeline);
    return this;
  }

  /** It belongs to this generation: what is reported under an older one no longer matches. */
  Changes rebind(Generation to) {
    values.put(OPERATION.GENERATION, to.value());
    return this;
  }

  /** It begins anew, in the next epoch: what earlier attempts report no longer matches. */
  Changes reopen() {
    forgetOutcome();
    openAttempts = 0;
    values.put(OPERATION.STATE, OperationState.UNKNOWN.word());
    values.put(OPERATION.EPOCH, before.epoch().value() + 1);
    values.put(OPERATION.OPEN_ATTEMPTS, 0);
    values.put(OPERATION.PENDING_EVIDENCE, 0);
    values.put(OPERATION.ATTENTION_AT, null);
    values.put(OPERATION.GATE_RECEIPTS, null);
    values.put(OPERATION.SETTLED_AT, null);
    values.put(OPERATION.FIRST_CLAIMED_AT, before.judgedAt());
    return this;
  }

  private Instant awaited() {
    Instant since = before.attentionAt();
    return since == null ? before.judgedAt() : since;
  }
}
