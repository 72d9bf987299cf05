package dev.holdfast.ledger.testbed;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;

import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.OperationState;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.AbstractAssert;
import org.assertj.core.api.Assertions;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** Says in the ledger's words what shall be stored of an operation. */
public final class LedgerAssert extends AbstractAssert<LedgerAssert, StoredOperation> {
  private LedgerAssert(StoredOperation actual) {
    super(actual, LedgerAssert.class);
  }

  /** Begins an assertion. */
  public static LedgerAssert assertThat(StoredOperation operation) {
    return new LedgerAssert(operation);
  }

  /** Nobody ever claimed it. */
  public LedgerAssert isAbsent() {
    Assertions.assertThat(actual.row()).as("the operation's row").isNull();
    return this;
  }

  /** Completed with the one receipt that its row names, of this response. */
  public LedgerAssert isCompletedWith(Sha256 response) {
    isInState(OperationState.COMPLETED);
    Assertions.assertThat(digest(actual.get(OPERATION.RESPONSE_SHA256)))
        .as("response digest of the operation")
        .isEqualTo(response);
    Assertions.assertThat(actual.receipts())
        .as("receipts with the operation's number")
        .filteredOn(
            receipt ->
                Objects.equals(
                    receipt.get(RECEIPT.RECEIPT_NUMBER), actual.get(OPERATION.RECEIPT_NUMBER)))
        .singleElement()
        .satisfies(
            receipt ->
                Assertions.assertThat(digest(receipt.get(RECEIPT.RESPONSE_SHA256)))
                    .as("response digest of the receipt")
                    .isEqualTo(response));
    return this;
  }

  /** In this state. */
  public LedgerAssert isInState(OperationState state) {
    return has(OPERATION.STATE, state.word());
  }

  /** Waits for a person, for this reason. */
  public LedgerAssert isParkedFor(String reason) {
    return isInState(OperationState.UNKNOWN).has(OPERATION.PARKED_REASON, reason);
  }

  /** The column holds this value. */
  public <T> LedgerAssert has(Field<T> column, @Nullable T value) {
    Assertions.assertThat(actual.row()).as("the operation's row").isNotNull();
    Assertions.assertThat(actual.get(column)).as(column.getName()).isEqualTo(value);
    return this;
  }

  /** So many attempts may have had an effect. */
  public LedgerAssert hasOpenAttempts(int count) {
    return has(OPERATION.OPEN_ATTEMPTS, count);
  }

  /** So many successes wait to be picked up. */
  public LedgerAssert hasPendingEvidence(int count) {
    return has(OPERATION.PENDING_EVIDENCE, count);
  }

  /** So many receipts were ever committed for it. */
  public LedgerAssert hasReceipts(int count) {
    Assertions.assertThat(actual.receipts()).as("receipts").hasSize(count);
    return this;
  }

  /** So many claims were followed by another one. */
  public LedgerAssert hasFormerAttempts(int count) {
    Assertions.assertThat(actual.attempts()).as("former attempts").hasSize(count);
    return this;
  }

  /** Its observations, each as kind, a blank and disposition, in the order they were written. */
  public LedgerAssert hasObservations(String... kindAndDisposition) {
    List<String> seen =
        actual.observations().stream()
            .map(row -> row.get(OBSERVATION.KIND) + " " + row.get(OBSERVATION.DISPOSITION))
            .toList();
    Assertions.assertThat(seen).as("observations").containsExactly(kindAndDisposition);
    return this;
  }

  /** Its lease was given up. */
  public LedgerAssert isReleased() {
    return has(OPERATION.RELEASED, true);
  }

  /** Its lease was not given up. */
  public LedgerAssert isNotReleased() {
    return has(OPERATION.RELEASED, false);
  }

  /** Its newest claim is this one. */
  public LedgerAssert wasLastClaimedBy(HeldLease lease) {
    return has(OPERATION.CLAIM_ID, lease.claimId().value())
        .has(OPERATION.FENCING_TOKEN, lease.token().value());
  }

  /** Not one byte was written to its row since then. */
  public LedgerAssert isUntouchedSince(StoredOperation before) {
    Assertions.assertThat(actual.version()).as("version of the row").isEqualTo(before.version());
    return this;
  }

  private static @Nullable Sha256 digest(byte @Nullable [] bytes) {
    return bytes == null ? null : Sha256.ofDigest(bytes);
  }
}
