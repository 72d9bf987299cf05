package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATOR_ACT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESERVATION_HISTORY;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.Sha256;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Writes that an act was ordered: before it is done, for the schema's guards look for it. */
final class ActRecord {
  private ActRecord() {}

  /** False where the id was given to another operation's act meanwhile, which is waited for. */
  static boolean insert(
      DSLContext transaction,
      OperationRow before,
      Taking taking,
      ActTerms terms,
      Order order,
      ActJudge.Allowed ruling) {
    Map<Field<?>, @Nullable Object> values = ordered(before, terms, order);
    values.put(OPERATOR_ACT.FORCED, ruling.forced());
    values.put(OPERATOR_ACT.FENCING_TOKEN, taking.token().value());
    values.put(OPERATOR_ACT.STATE_AFTER, ruling.after().word());
    found(values, before);
    if (!isFirst(transaction, values)) {
      return false;
    }
    if (order.changesReservation()) {
      change(transaction, before, terms, order);
    }
    return true;
  }

  private static boolean isFirst(DSLContext transaction, Map<Field<?>, @Nullable Object> values) {
    return transaction
            .insertInto(OPERATOR_ACT)
            .set(values)
            .onConflict(OPERATOR_ACT.ACT_ID)
            .doNothing()
            .execute()
        == 1;
  }

  private static Map<Field<?>, @Nullable Object> ordered(
      OperationRow before, ActTerms terms, Order order) {
    Sha256 evidence = order.evidence();
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    values.put(OPERATOR_ACT.ACT_ID, terms.id().value());
    values.put(OPERATOR_ACT.SCOPE, terms.scope().value());
    values.put(OPERATOR_ACT.OPERATION_ID, terms.operation().text());
    values.put(OPERATOR_ACT.VERB, order.verb());
    values.put(OPERATOR_ACT.DECISION, order.decisionWord());
    Generation to = order.leadsTo();
    values.put(OPERATOR_ACT.GENERATION, to == null ? null : to.value());
    values.put(OPERATOR_ACT.ACTOR, terms.actor());
    values.put(OPERATOR_ACT.REASON, terms.reason());
    values.put(OPERATOR_ACT.REVISION, before.revision().value() + 1);
    values.put(OPERATOR_ACT.RECEIPT_NUMBER, receipt(before));
    values.put(OPERATOR_ACT.EVIDENCE_SHA256, evidence == null ? null : evidence.bytes());
    values.put(OPERATOR_ACT.ORDER_SHA256, OrderDigest.of(terms, order).bytes());
    values.put(OPERATOR_ACT.ACTED_AT, before.judgedAt());
    // the guard puts the transaction's own number there
    values.put(OPERATOR_ACT.WRITTEN_BY, 0L);
    return values;
  }

  /** What the answer tells of it, which no other row keeps once the act is done. */
  private static void found(Map<Field<?>, @Nullable Object> values, OperationRow before) {
    SettledFailure failure = before.failure();
    values.put(OPERATOR_ACT.STATE_BEFORE, before.state().word());
    values.put(OPERATOR_ACT.PARKED_REASON, before.parkedReason());
    values.put(OPERATOR_ACT.OPEN_ATTEMPTS, before.openAttempts());
    values.put(OPERATOR_ACT.PENDING_EVIDENCE, before.pendingEvidence());
    values.put(OPERATOR_ACT.FAILURE_CODE, failure == null ? null : failure.code());
    values.put(OPERATOR_ACT.UPSTREAM_STATUS, failure == null ? null : failure.status());
  }

  private static void change(
      DSLContext transaction, OperationRow before, ActTerms terms, Order order) {
    Reservation reservation = before.reservation();
    RequestFingerprint fingerprint = reservation.fingerprint();
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    values.put(RESERVATION_HISTORY.SCOPE, terms.scope().value());
    values.put(RESERVATION_HISTORY.OPERATION_ID, terms.operation().text());
    values.put(RESERVATION_HISTORY.REVISION, before.revision().value() + 1);
    values.put(RESERVATION_HISTORY.ACT, order.changeWord());
    values.put(RESERVATION_HISTORY.FINGERPRINT_SCHEME, fingerprint.scheme());
    values.put(RESERVATION_HISTORY.FINGERPRINT_SHA256, fingerprint.digest().bytes());
    values.put(RESERVATION_HISTORY.GENERATION, reservation.generation().value());
    values.put(RESERVATION_HISTORY.RESOURCE_ID, reservation.resource().value());
    values.put(RESERVATION_HISTORY.EPOCH, before.epoch().value());
    values.put(RESERVATION_HISTORY.RECEIPT_NUMBER, receipt(before));
    values.put(RESERVATION_HISTORY.ACTOR, terms.actor());
    values.put(RESERVATION_HISTORY.REASON, terms.reason());
    values.put(RESERVATION_HISTORY.CHANGED_AT, before.judgedAt());
    values.put(RESERVATION_HISTORY.WRITTEN_BY, 0L);
    int rows = transaction.insertInto(RESERVATION_HISTORY).set(values).execute();
    if (rows != 1) {
      throw new IllegalStateException("one change was recorded " + rows + " times");
    }
  }

  private static @Nullable Long receipt(OperationRow before) {
    return before.hasReceipt() ? before.receiptNumber() : null;
  }
}
