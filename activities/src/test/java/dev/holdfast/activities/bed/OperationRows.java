package dev.holdfast.activities.bed;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;

import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jooq.Condition;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** The row of one operation of {@link EffectActivities}, as it stands. */
public final class OperationRows {
  private final EmbeddedLedger ledger;

  public OperationRows(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /**
   * Its state, and its number of open attempts: {@code unknown, 1 open}; {@code none} without a
   * row.
   */
  public String state(String key) {
    return ledger
        .sql()
        .select(OPERATION.STATE, OPERATION.OPEN_ATTEMPTS)
        .from(OPERATION)
        .where(isKey(key))
        .fetchOptional(row -> row.value1() + ", " + row.value2() + " open")
        .orElse("none");
  }

  /** What was observed of it beside its receipt, and what became of that, in order. */
  public List<String> observations(String key) {
    return observations(key, "Effect");
  }

  /** The same of an operation of another type. */
  public List<String> observations(String key, String type) {
    return ledger
        .sql()
        .select(OBSERVATION.KIND, OBSERVATION.DISPOSITION)
        .from(OBSERVATION)
        .where(OBSERVATION.OPERATION_ID.eq(type + ":" + key))
        .orderBy(OBSERVATION.OBSERVATION_NUMBER)
        .fetch(row -> row.value1() + " " + row.value2());
  }

  /** The binding generation that it is reserved under. */
  public long generation(String key) {
    return Objects.requireNonNull(
        ledger.sql().fetchSingle(OPERATION, isKey(key)).get(OPERATION.GENERATION));
  }

  /** Why it waits for a person; null where it does not. */
  public @Nullable String parked(String key) {
    return ledger.sql().fetchSingle(OPERATION, isKey(key)).get(OPERATION.PARKED_REASON);
  }

  /** The whole row as text. */
  public String text(String key) {
    return ledger
        .sql()
        .select(DSL.field("operation::text", String.class))
        .from(OPERATION)
        .where(isKey(key))
        .fetchSingle()
        .value1();
  }

  /** How many operations there are. */
  public int count() {
    return ledger.sql().fetchCount(OPERATION);
  }

  /** How many receipts there are. */
  public int receipts() {
    return ledger.sql().fetchCount(RECEIPT);
  }

  /** Whether its lease was given up. */
  public boolean released(String key) {
    return ledger.sql().fetchSingle(OPERATION, isKey(key)).get(OPERATION.RELEASED);
  }

  /** Whose it is. */
  public @Nullable String scope(String key) {
    return ledger.sql().fetchSingle(OPERATION, isKey(key)).get(OPERATION.SCOPE);
  }

  /** What was left of its lease when its receipt was committed. */
  public Duration marginLeft(String key) {
    return Duration.ofMillis(
        Objects.requireNonNull(
            ledger
                .sql()
                .fetchSingle(RECEIPT, RECEIPT.OPERATION_ID.eq("Effect:" + key))
                .get(RECEIPT.MARGIN_LEFT_MS)));
  }

  /** The digest of the response that settled it. */
  public Sha256 responseDigest(String key) {
    byte[] digest = ledger.sql().fetchSingle(OPERATION, isKey(key)).get(OPERATION.RESPONSE_SHA256);
    return Sha256.ofDigest(Objects.requireNonNull(digest));
  }

  /** When its lease runs out. */
  public Instant expiry(String key) {
    return ledger.sql().fetchSingle(OPERATION, isKey(key)).get(OPERATION.EXPIRES_AT);
  }

  private static Condition isKey(String key) {
    return OPERATION.OPERATION_ID.eq("Effect:" + key);
  }
}
