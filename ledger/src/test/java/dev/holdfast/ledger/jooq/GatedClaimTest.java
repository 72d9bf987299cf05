package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Claim.GateReason;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GatedClaimTest {
  private final EmbeddedLedger embedded;
  private final Rows rows;
  private final JooqLedger ledger;

  /** Number of a receipt that a caller knows and the ledger keeps. */
  private static final long KNOWN = 1_000_001;

  GatedClaimTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.rows = Rows.of(embedded);
    this.ledger = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  private static Completion completionOf(Reservation reservation) {
    return new Completion(
        reservation.scope(),
        reservation.operation(),
        reservation.fingerprint(),
        reservation.generation(),
        new Epoch(0),
        new EffectId(Rows.EFFECT),
        new ReceiptNumber(KNOWN),
        new LedgerPosition("1", 1));
  }

  /** The same, its receipt told and kept before the operation came to what it is in now. */
  private Completion formerly(Reservation reservation) {
    rows.formerReceipt(reservation, KNOWN).insert();
    return completionOf(reservation);
  }

  private Claim.GateClosed closed(Completion required, GateReason reason) {
    return new Claim.GateClosed(required.operation(), reason);
  }

  @Test
  void an_open_gate_lets_the_claim_pass_and_is_kept_with_it() {
    Completion export = Asking.about("export").committed(ledger).receipt().completion();
    Completion second = Asking.about("second").committed(ledger).receipt().completion();
    Asking share = Asking.about("share").behind(export, second);

    share.granted(ledger);

    LedgerAssert.assertThat(stored(share))
        .has(
            OPERATION.GATE_RECEIPTS,
            new Long[] {export.receipt().value(), second.receipt().value()});
  }

  @Test
  void a_gate_on_what_nobody_claimed_is_closed() {
    Completion never = completionOf(Rows.reservation("never"));
    Asking share = Asking.about("share-of-never").behind(never);

    assertThat(share.claim(ledger)).isEqualTo(closed(never, GateReason.ABSENT));

    LedgerAssert.assertThat(stored(share)).isAbsent();
  }

  @Test
  void each_state_that_is_not_completed_closes_the_gate_for_its_own_reason() {
    Reservation running = Rows.reservation("running");
    rows.inProgress(running).insert();
    Reservation unknown = Rows.reservation("unknown");
    rows.unknown(unknown).insert();
    Reservation failed = Rows.reservation("failed");
    rows.failed(failed).insert();
    Reservation conflict = Rows.reservation("conflict");
    rows.conflict(conflict).insert();

    assertClosed(formerly(running), GateReason.OPEN);
    assertClosed(formerly(unknown), GateReason.OPEN);
    assertClosed(formerly(failed), GateReason.FAILED);
    assertClosed(formerly(conflict), GateReason.CONFLICT);
  }

  private void assertClosed(Completion required, GateReason reason) {
    Asking share = Asking.about("share-of-" + required.operation().key()).behind(required);
    assertThat(share.claim(ledger)).isEqualTo(closed(required, reason));
    long wal = Wal.writtenBy(embedded, () -> share.claim(ledger));
    assertThat(wal).isZero();
    LedgerAssert.assertThat(stored(share)).isAbsent();
  }

  static Stream<Completion> mismatches() {
    Completion right = completionOf(Rows.reservation("done"));
    return Stream.of(
        other(right, new RequestFingerprint("fp1", Sha256.ofUtf8("other"))),
        other(right, new RequestFingerprint("fp2", right.fingerprint().digest())),
        new Completion(
            right.scope(),
            right.operation(),
            right.fingerprint(),
            new Generation(1),
            right.epoch(),
            right.effect(),
            right.receipt(),
            right.position()),
        new Completion(
            right.scope(),
            right.operation(),
            right.fingerprint(),
            right.generation(),
            new Epoch(1),
            right.effect(),
            right.receipt(),
            right.position()),
        new Completion(
            right.scope(),
            right.operation(),
            right.fingerprint(),
            right.generation(),
            right.epoch(),
            new EffectId("another"),
            right.receipt(),
            right.position()));
  }

  private static Completion other(Completion right, RequestFingerprint fingerprint) {
    return new Completion(
        right.scope(),
        right.operation(),
        fingerprint,
        right.generation(),
        right.epoch(),
        right.effect(),
        right.receipt(),
        right.position());
  }

  @ParameterizedTest // case H5
  @MethodSource("mismatches")
  void a_completion_under_another_tuple_or_effect_closes_the_gate(Completion wrong) {
    Reservation done = Rows.reservation("done");
    if (StoredOperation.of(embedded, done).row() == null) {
      rows.completed(done).insert();
      rows.formerReceipt(done, KNOWN).insert();
    }
    Asking share = Asking.about("share-of-done").behind(wrong);

    assertThat(share.claim(ledger)).isEqualTo(closed(wrong, GateReason.MISMATCH));

    LedgerAssert.assertThat(stored(share)).isAbsent();
  }

  @Test
  void the_operations_own_row_is_asked_first() {
    Completion export = Asking.about("own-first-export").committed(ledger).receipt().completion();
    Asking share = Asking.about("own-first").behind(export);
    share.committed(ledger);
    toConflict(export);

    assertThat(share.claim(ledger)).isInstanceOf(Claim.Replay.class);
  }

  private void toConflict(Completion completed) {
    assertThat(
            embedded
                .sql()
                .update(OPERATION)
                .set(OPERATION.STATE, "conflict")
                .set(OPERATION.REVISION, OPERATION.REVISION.plus(1))
                .set(OPERATION.ATTENTION_AT, OPERATION.SETTLED_AT)
                .where(OPERATION.OPERATION_ID.eq(completed.operation().text()))
                .execute())
        .isEqualTo(1);
  }

  private static final String CONFLICT =
      "update operation set state = 'conflict', revision = revision + 1,"
          + " attention_at = settled_at where scope = ? and operation_id = ?";

  @Test
  void a_gate_that_closes_between_the_look_and_the_lock_gives_the_claim_back() throws Exception {
    Asking exporting = Asking.about("closing");
    Completion export = exporting.committed(ledger).receipt().completion();
    Asking share = Asking.about("share-of-closing").behind(export);
    try (RowLock closing = RowLock.after(embedded, exporting.reservation(), CONFLICT)) {
      Future<Claim> claim = Contenders.background(() -> share.claim(ledger));
      closing.awaitWaiters(1);
      closing.commit();

      assertThat(claim.get()).isEqualTo(closed(export, GateReason.CONFLICT));
    }
    LedgerAssert.assertThat(stored(share))
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(0)
        .hasObservations("not_dispatched closed");
  }

  @Test
  void on_a_shared_resource_a_gate_that_closes_in_between_takes_nothing() throws Exception {
    Asking exporting = Asking.about("closing-shared");
    Completion export = exporting.committed(ledger).receipt().completion();
    ResourceId press = ResourceId.shared("gated-press");
    Asking share = Asking.about("share-of-closing-shared", press).behind(export);
    try (RowLock closing = RowLock.after(embedded, exporting.reservation(), CONFLICT)) {
      Future<Claim> claim = Contenders.background(() -> share.claim(ledger));
      closing.awaitWaiters(1);
      closing.commit();

      assertThat(claim.get()).isEqualTo(closed(export, GateReason.CONFLICT));
    }
    LedgerAssert.assertThat(stored(share)).isAbsent();
    Asking.about("another-on-gated-press", press).granted(ledger);
  }

  @Test
  void the_required_completion_cannot_be_undone_while_the_claim_commits() throws Exception {
    Asking exporting = Asking.about("kept-open");
    Completion export = exporting.committed(ledger).receipt().completion();
    Asking share = Asking.about("share-of-kept").behind(export);
    try (RowLock own =
        RowLock.after(
            embedded,
            exporting.reservation(),
            "select from operation where scope = ? and operation_id = ? for share")) {
      // another reader of the same completion holds nobody up
      share.granted(ledger);
      own.commit();
    }
    LedgerAssert.assertThat(stored(share)).isInState(OperationState.IN_PROGRESS);
  }
}
