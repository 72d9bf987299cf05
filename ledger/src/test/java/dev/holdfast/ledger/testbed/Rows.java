package dev.holdfast.ledger.testbed;

import static dev.holdfast.ledger.jooq.generated.Sequences.RECEIPT_NUMBERS;
import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;

import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.OperationState;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.impl.DSL;

/**
 * Makes rows in any state, as if the ledger had come to it: a test of one transition need not walk
 * there. Times count from the ledger's clock; a lease that lives has an hour.
 */
public final class Rows {
  /** The token of every row unless set otherwise; low, so that the next claim's is higher. */
  public static final long TOKEN = 1_000;

  /** The response of every completed row unless set otherwise. */
  public static final Sha256 RESPONSE = Sha256.ofUtf8("response");

  /** The effect of every completed row unless set otherwise. */
  public static final String EFFECT = "effect-1";

  private static final Duration LEASE = Duration.ofHours(1);

  private final EmbeddedLedger ledger;

  private Rows(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /** Rows of this ledger. */
  public static Rows of(EmbeddedLedger ledger) {
    return new Rows(ledger);
  }

  /** A reservation of its own, in scope {@code tenant}, of type {@code export}. */
  public static Reservation reservation(String key) {
    OperationId operation = new OperationId("export", key);
    return new Reservation(
        new Scope("tenant"),
        operation,
        new RequestFingerprint("fp1", Sha256.ofUtf8("request")),
        new Generation(0),
        ResourceId.of(operation));
  }

  /** The same on a resource that others take too. */
  public static Reservation reservation(String key, ResourceId resource) {
    Reservation own = reservation(key);
    return new Reservation(
        own.scope(), own.operation(), own.fingerprint(), own.generation(), resource);
  }

  /** In progress, its first attempt under a live lease. */
  public Row inProgress(Reservation of) {
    return operation(of, OperationState.IN_PROGRESS)
        .with(OPERATION.OPEN_ATTEMPTS, 1)
        .with(OPERATION.EXPIRES_AT, now().plus(LEASE));
  }

  /** In progress by its state, its lease over since a minute, its attempt open. */
  public Row expired(Reservation of) {
    return inProgress(of).with(OPERATION.EXPIRES_AT, now().minusSeconds(60));
  }

  /** Unknown, given up, nothing open. */
  public Row unknown(Reservation of) {
    return operation(of, OperationState.UNKNOWN).with(OPERATION.RELEASED, true);
  }

  /** Unknown, its only attempt open, waiting for a person. */
  public Row parked(Reservation of, String reason) {
    return unknown(of)
        .with(OPERATION.OPEN_ATTEMPTS, 1)
        .with(OPERATION.PARKED_REASON, reason)
        .with(OPERATION.ATTENTION_AT, now());
  }

  /** Completed and released, with its receipt. */
  public Row completed(Reservation of) {
    return outcome(operation(of, OperationState.COMPLETED)).and(sql -> insertReceipt(sql, of));
  }

  /** Failed for good. */
  public Row failed(Reservation of) {
    return operation(of, OperationState.FAILED)
        .with(OPERATION.RELEASED, true)
        .with(OPERATION.FAILURE_CODE, "http_422")
        .with(OPERATION.UPSTREAM_STATUS, 422)
        .with(OPERATION.SETTLED_AT, now());
  }

  /** In conflict, completed before, with that receipt. */
  public Row conflict(Reservation of) {
    return outcome(operation(of, OperationState.CONFLICT))
        .with(OPERATION.ATTENTION_AT, now())
        .and(sql -> insertReceipt(sql, of));
  }

  /** A receipt of the operation from before whatever it is in now. */
  public Row formerReceipt(Reservation of, long number) {
    return new Row(ledger, RECEIPT)
        .with(RECEIPT.SCOPE, of.scope().value())
        .with(RECEIPT.OPERATION_ID, of.operation().text())
        .with(RECEIPT.FENCING_TOKEN, TOKEN - 1)
        .with(RECEIPT.RECEIPT_NUMBER, number)
        .with(RECEIPT.CLAIM_ID, UUID.randomUUID())
        .with(RECEIPT.RESOURCE_ID, of.resource().value())
        .with(RECEIPT.FINGERPRINT_SCHEME, of.fingerprint().scheme())
        .with(RECEIPT.FINGERPRINT_SHA256, of.fingerprint().digest().bytes())
        .with(RECEIPT.GENERATION, of.generation().value())
        .with(RECEIPT.EPOCH, 0)
        .with(RECEIPT.RESPONSE_SHA256, RESPONSE.bytes())
        .with(RECEIPT.UPSTREAM_STATUS, 200)
        .with(RECEIPT.EFFECT_ID, EFFECT)
        .with(RECEIPT.SOURCE, "witnessed")
        .with(RECEIPT.COMMITTED_AT, now())
        .with(RECEIPT.MARGIN_LEFT_MS, 29_000L)
        .with(RECEIPT.FSYNC, "on")
        .with(RECEIPT.FULL_PAGE_WRITES, "on")
        .with(RECEIPT.SYNCHRONOUS_COMMIT, "on")
        .with(RECEIPT.TIMELINE, 1L);
  }

  /** A former attempt of the operation. */
  public Row attempt(Reservation of) {
    Instant claimed = now().minusSeconds(600);
    return new Row(ledger, ATTEMPT)
        .with(ATTEMPT.SCOPE, of.scope().value())
        .with(ATTEMPT.OPERATION_ID, of.operation().text())
        .with(ATTEMPT.CLAIM_ID, UUID.randomUUID())
        .with(ATTEMPT.FINGERPRINT_SCHEME, of.fingerprint().scheme())
        .with(ATTEMPT.FINGERPRINT_SHA256, of.fingerprint().digest().bytes())
        .with(ATTEMPT.GENERATION, of.generation().value())
        .with(ATTEMPT.RESOURCE_ID, of.resource().value())
        .with(ATTEMPT.EPOCH, 0)
        .with(ATTEMPT.FENCING_TOKEN, TOKEN - 1)
        .with(ATTEMPT.WORKER, "worker-0")
        .with(ATTEMPT.NAMESPACE, "default")
        .with(ATTEMPT.ATTEMPT_NUMBER, 1)
        .with(ATTEMPT.CLAIMED_AT, claimed)
        .with(ATTEMPT.DISPATCH_DEADLINE_AT, claimed.plus(LEASE))
        .with(ATTEMPT.HORIZON_AT, claimed.plus(LEASE).plus(LEASE));
  }

  /** An observation by nobody's claim that changes nothing. */
  public Row observation(Reservation of, String kind, String disposition) {
    return new Row(ledger, OBSERVATION)
        .with(OBSERVATION.SCOPE, of.scope().value())
        .with(OBSERVATION.OPERATION_ID, of.operation().text())
        .with(OBSERVATION.OBSERVER, "none")
        .with(OBSERVATION.KIND, kind)
        .with(OBSERVATION.DISPOSITION, disposition)
        .with(OBSERVATION.CLOSES_ATTEMPT, false)
        .with(OBSERVATION.FINGERPRINT_SCHEME, of.fingerprint().scheme())
        .with(OBSERVATION.FINGERPRINT_SHA256, of.fingerprint().digest().bytes())
        .with(OBSERVATION.GENERATION, of.generation().value())
        .with(OBSERVATION.EPOCH, 0)
        .with(OBSERVATION.OBSERVED_AT, now());
  }

  /** A success, stored and not yet picked up; the operation's counter is for the test to set. */
  public Row pendingEvidence(Reservation of, UUID claim, String effect) {
    return observation(of, "succeeded", "pending")
        .with(OBSERVATION.OBSERVER, "preempted")
        .with(OBSERVATION.CLAIM_ID, claim)
        .with(OBSERVATION.FENCING_TOKEN, TOKEN - 1)
        .with(OBSERVATION.GRADE, "witnessed")
        .with(OBSERVATION.UPSTREAM_STATUS, 200)
        .with(OBSERVATION.RESPONSE_SHA256, RESPONSE.bytes())
        .with(OBSERVATION.EFFECT_ID, effect)
        .with(OBSERVATION.RESULT_KIND, "void");
  }

  /** The lease of a shared resource, free. */
  public Row resource(Reservation heldBy) {
    return new Row(ledger, RESOURCE)
        .with(RESOURCE.SCOPE, heldBy.scope().value())
        .with(RESOURCE.RESOURCE_ID, heldBy.resource().value())
        .with(RESOURCE.OPERATION_ID, heldBy.operation().text())
        .with(RESOURCE.FENCING_TOKEN, TOKEN)
        .with(RESOURCE.CLAIM_ID, UUID.randomUUID())
        .with(RESOURCE.WORKER, "worker-1")
        .with(RESOURCE.EXPIRES_AT, now())
        .with(RESOURCE.RELEASED, true);
  }

  private Row operation(Reservation of, OperationState state) {
    Instant claimed = now().minusSeconds(60);
    return new Row(ledger, OPERATION)
        .with(OPERATION.SCOPE, of.scope().value())
        .with(OPERATION.OPERATION_ID, of.operation().text())
        .with(OPERATION.FINGERPRINT_SCHEME, of.fingerprint().scheme())
        .with(OPERATION.FINGERPRINT_SHA256, of.fingerprint().digest().bytes())
        .with(OPERATION.GENERATION, of.generation().value())
        .with(OPERATION.RESOURCE_ID, of.resource().value())
        .with(OPERATION.EPOCH, 0)
        .with(OPERATION.STATE, state.word())
        .with(OPERATION.REVISION, 1L)
        .with(OPERATION.OPEN_ATTEMPTS, 0)
        .with(OPERATION.PENDING_EVIDENCE, 0)
        .with(OPERATION.FENCING_TOKEN, TOKEN)
        .with(OPERATION.CLAIM_ID, UUID.randomUUID())
        .with(OPERATION.WORKER, "worker-1")
        .with(OPERATION.EXPIRES_AT, claimed.plusSeconds(30))
        .with(OPERATION.RELEASED, false)
        .with(OPERATION.NAMESPACE, "default")
        .with(OPERATION.ATTEMPT_NUMBER, 1)
        .with(OPERATION.CLAIMED_AT, claimed)
        .with(OPERATION.FIRST_CLAIMED_AT, claimed)
        .with(OPERATION.DISPATCH_DEADLINE_AT, claimed.plus(LEASE))
        .with(OPERATION.HORIZON_AT, claimed.plus(LEASE).plus(LEASE));
  }

  private Row outcome(Row operation) {
    return operation
        .with(OPERATION.RELEASED, true)
        .with(OPERATION.REVISION, 2L)
        .with(OPERATION.RECEIPT_NUMBER, ledger.sql().nextval(RECEIPT_NUMBERS))
        .with(OPERATION.RECEIPT_TIMELINE, 1L)
        .with(OPERATION.RESPONSE_SHA256, RESPONSE.bytes())
        .with(OPERATION.UPSTREAM_STATUS, 200)
        .with(OPERATION.EFFECT_ID, EFFECT)
        .with(OPERATION.RESULT_KIND, "value")
        .with(OPERATION.RESULT, "result".getBytes(StandardCharsets.UTF_8))
        .with(OPERATION.SETTLED_AT, now());
  }

  /** The receipt that the operation row refers to. */
  private static void insertReceipt(DSLContext sql, Reservation of) {
    List<Field<?>> values = new ArrayList<>();
    for (Field<?> column : RECEIPT.fields()) {
      values.add(receiptValue(column));
    }
    sql.insertInto(RECEIPT, RECEIPT.fields())
        .select(
            sql.select(values)
                .from(OPERATION)
                .where(OPERATION.SCOPE.eq(of.scope().value()))
                .and(OPERATION.OPERATION_ID.eq(of.operation().text())))
        .execute();
  }

  private static Field<?> receiptValue(Field<?> column) {
    return switch (column.getName()) {
      case "source" -> DSL.inline("witnessed");
      case "adopted_receipt" -> DSL.inline((Long) null);
      case "evidence_claim_id" -> DSL.inline((UUID) null);
      case "committed_at" -> OPERATION.SETTLED_AT;
      case "margin_left_ms" -> DSL.inline(29_000L);
      case "fsync", "full_page_writes", "synchronous_commit" -> DSL.inline("on");
      case "timeline" -> OPERATION.RECEIPT_TIMELINE;
      default -> Objects.requireNonNull(OPERATION.field(column.getName()), column::getName);
    };
  }

  private Instant now() {
    return LedgerClock.of(ledger).now();
  }
}
