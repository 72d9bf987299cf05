package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;

import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.settlement.Verdict;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Keeps what the holder of a claim saw, with its evidence and what became of it. */
final class ObservationInsert {
  private ObservationInsert() {}

  /** Writes one row, as judged. */
  static void insert(DSLContext transaction, Judged judged) {
    Report report = judged.report();
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    values.put(OBSERVATION.OBSERVER, observer(judged));
    values.put(OBSERVATION.CLAIM_ID, report.attempt().value());
    values.put(OBSERVATION.FENCING_TOKEN, report.token().value());
    values.put(OBSERVATION.KIND, report.observation().word());
    values.put(OBSERVATION.REASON, report.reason());
    values.put(OBSERVATION.UPSTREAM_STATUS, report.status());
    values.put(OBSERVATION.DISPOSITION, judged.verdict().disposition());
    values.put(OBSERVATION.CLOSES_ATTEMPT, judged.closesReported());
    values.put(OBSERVATION.OBSERVED_AT, judged.row().judgedAt());
    addTuple(values, report.observation().tuple());
    if (report.success() != null) {
      addEvidence(values, report.success());
    }
    insert(transaction, values);
  }

  /** Writes that a lease is over, which anybody may see who looks. */
  static void leaseExpired(DSLContext transaction, OperationRow row) {
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    addTuple(values, row.tuple());
    values.put(OBSERVATION.OBSERVER, "none");
    values.put(OBSERVATION.KIND, "lease_expired");
    values.put(OBSERVATION.DISPOSITION, "demoted");
    values.put(OBSERVATION.CLOSES_ATTEMPT, false);
    values.put(OBSERVATION.OBSERVED_AT, row.judgedAt());
    insert(transaction, values);
  }

  /** Writes this row. */
  static void insert(DSLContext transaction, Map<Field<?>, @Nullable Object> values) {
    int rows = transaction.insertInto(OBSERVATION).set(values).execute();
    if (rows != 1) {
      throw new IllegalStateException("one observation was written " + rows + " times");
    }
  }

  private static String observer(Judged judged) {
    return judged.report().isFound()
        ? "reconciler"
        : judged.observer().name().toLowerCase(Locale.ROOT);
  }

  static void addTuple(Map<Field<?>, @Nullable Object> values, Tuple tuple) {
    values.put(OBSERVATION.SCOPE, tuple.scope().value());
    values.put(OBSERVATION.OPERATION_ID, tuple.operation().text());
    values.put(OBSERVATION.FINGERPRINT_SCHEME, tuple.fingerprint().scheme());
    values.put(OBSERVATION.FINGERPRINT_SHA256, tuple.fingerprint().digest().bytes());
    values.put(OBSERVATION.GENERATION, tuple.generation().value());
    values.put(OBSERVATION.EPOCH, tuple.epoch().value());
  }

  static void addEvidence(Map<Field<?>, @Nullable Object> values, SuccessEvidence success) {
    ResultColumns result = ResultColumns.of(success.result());
    values.put(OBSERVATION.GRADE, success.gradeWord());
    values.put(OBSERVATION.RESPONSE_SHA256, success.response().digest().bytes());
    values.put(OBSERVATION.EFFECT_ID, success.response().effect().value());
    values.put(OBSERVATION.RESULT_KIND, result.kind());
    values.put(OBSERVATION.RESULT, result.encoded());
    values.put(OBSERVATION.RESULT_SHA256, result.digest());
  }

  /** Writes one row of a success that came by itself, as judged: of nobody's attempt. */
  static void delivered(
      DSLContext transaction, OperationRow row, SuccessEvidence evidence, Verdict verdict) {
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    addTuple(values, evidence.tuple());
    addEvidence(values, evidence);
    values.put(OBSERVATION.OBSERVER, "none");
    values.put(OBSERVATION.KIND, evidence.observation().word());
    values.put(OBSERVATION.UPSTREAM_STATUS, evidence.response().status());
    values.put(OBSERVATION.DISPOSITION, verdict.disposition());
    values.put(OBSERVATION.CLOSES_ATTEMPT, false);
    values.put(OBSERVATION.OBSERVED_AT, row.judgedAt());
    int rows = transaction.insertInto(OBSERVATION).set(values).execute();
    if (rows != 1) {
      throw new IllegalStateException("one observation was written " + rows + " times");
    }
  }
}
