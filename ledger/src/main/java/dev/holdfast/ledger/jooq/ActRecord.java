package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATOR_ACT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESERVATION_HISTORY;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Sha256;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.Table;
import org.jspecify.annotations.Nullable;

/** Writes that an act was ordered: before it is done, for the schema's guards look for it. */
final class ActRecord {
  private ActRecord() {}

  static void insert(
      DSLContext transaction, OperationRow before, ActTerms terms, Order order, boolean forced) {
    act(transaction, before, terms, order, forced);
    if (order.isReopen()) {
      change(transaction, before, terms, order);
    }
  }

  private static void act(
      DSLContext transaction, OperationRow before, ActTerms terms, Order order, boolean forced) {
    Sha256 evidence = order.evidence();
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    values.put(OPERATOR_ACT.SCOPE, terms.scope().value());
    values.put(OPERATOR_ACT.OPERATION_ID, terms.operation().text());
    values.put(OPERATOR_ACT.VERB, order.verb());
    values.put(OPERATOR_ACT.DECISION, order.decisionWord());
    values.put(OPERATOR_ACT.FORCED, forced);
    values.put(OPERATOR_ACT.ACTOR, terms.actor());
    values.put(OPERATOR_ACT.REASON, terms.reason());
    values.put(OPERATOR_ACT.REVISION, before.revision().value() + 1);
    values.put(OPERATOR_ACT.RECEIPT_NUMBER, receipt(before));
    values.put(OPERATOR_ACT.EVIDENCE_SHA256, evidence == null ? null : evidence.bytes());
    values.put(OPERATOR_ACT.ACTED_AT, before.judgedAt());
    // the guard puts the transaction's own number there
    values.put(OPERATOR_ACT.WRITTEN_BY, 0L);
    insert(transaction, OPERATOR_ACT, values);
  }

  private static void change(
      DSLContext transaction, OperationRow before, ActTerms terms, Order order) {
    Reservation reservation = before.reservation();
    RequestFingerprint fingerprint = reservation.fingerprint();
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    values.put(RESERVATION_HISTORY.SCOPE, terms.scope().value());
    values.put(RESERVATION_HISTORY.OPERATION_ID, terms.operation().text());
    values.put(RESERVATION_HISTORY.REVISION, before.revision().value() + 1);
    values.put(RESERVATION_HISTORY.ACT, order.verb());
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
    insert(transaction, RESERVATION_HISTORY, values);
  }

  private static @Nullable Long receipt(OperationRow before) {
    return before.hasReceipt() ? before.receiptNumber() : null;
  }

  private static void insert(
      DSLContext transaction, Table<Record> table, Map<Field<?>, @Nullable Object> values) {
    int rows = transaction.insertInto(table).set(values).execute();
    if (rows != 1) {
      throw new IllegalStateException("one act was recorded " + rows + " times");
    }
  }
}
