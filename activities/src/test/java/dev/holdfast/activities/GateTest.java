package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.EffectId;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.ReceiptNumber;
import dev.holdfast.Scope;
import dev.holdfast.activities.bed.ExportThenShareWorkflow;
import dev.holdfast.activities.bed.ExportThenShareWorkflow.Document;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.GateWorkflow;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A second effect opens on the exact completion of the first, and on nothing else. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GateTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream publisher = new Upstream();

  GateTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @BeforeEach
  void start() {
    Upstream exporter = new Upstream();
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        new ExportThenShareWorkflow.ExportsImpl(document -> exporter.dispatch(document.title())),
        new ExportThenShareWorkflow.SharesImpl(publisher::dispatch));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private OperationRef exported(String id) {
    return bed.workflow(GateWorkflow.Export.class).exported(id, new Document("report", 1));
  }

  private ApplicationFailure refused(String shareId, OperationRef ref) {
    int operations = rows.count();
    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(GateWorkflow.Share.class).shared(shareId, ref, "reader"));
    assertThat(publisher.requests()).isZero();
    assertThat(rows.count()).as("no row is lost").isEqualTo(operations);
    return failure;
  }

  @Test
  void it_opens_on_the_completion_that_the_reference_names() {
    OperationRef ref = exported("open");

    assertThat(bed.workflow(GateWorkflow.Share.class).shared("share", ref, "reader"))
        .isEqualTo("did reader");
  }

  @Test
  void it_stays_closed_for_another_effect_of_the_same_operation() {
    OperationRef ref = exported("other");
    OperationRef other =
        new OperationRef(
            ref.scope(),
            ref.operation(),
            ref.fingerprint(),
            ref.generation(),
            ref.epoch(),
            new EffectId("another"),
            ref.receipt(),
            ref.ledger());

    ApplicationFailure failure = refused("share-other", other);

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.GATE_CLOSED);
    assertThat(failure.isNonRetryable()).isTrue();
  }

  @Test
  void a_ledger_that_lost_the_receipt_is_told_from_a_closed_gate() {
    OperationRef ref = exported("lost");
    OperationRef gone =
        new OperationRef(
            ref.scope(),
            new OperationId(ref.operation().type(), "never exported"),
            ref.fingerprint(),
            ref.generation(),
            ref.epoch(),
            ref.effect(),
            ref.receipt(),
            ref.ledger());

    ApplicationFailure failure = refused("share-gone", gone);

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEDGER_WENT_BACK);
    assertThat(failure.isNonRetryable()).isFalse();
  }

  @Test
  void a_receipt_that_the_ledger_lost_is_told_whatever_became_of_the_operation_since() {
    OperationRef ref = exported("again");
    OperationRef before =
        new OperationRef(
            ref.scope(),
            ref.operation(),
            ref.fingerprint(),
            ref.generation(),
            ref.epoch(),
            ref.effect(),
            new ReceiptNumber(ref.receipt().value() + 1_000_000),
            ref.ledger());

    assertThat(refused("share-again", before).getType())
        .isEqualTo(HoldfastFailures.LEDGER_WENT_BACK);
    assertThat(required(before).getType()).isEqualTo(HoldfastFailures.LEDGER_WENT_BACK);
    assertThat(bed.workflow(GateWorkflow.Require.class).required(ref)).isEqualTo("completed");
  }

  private ApplicationFailure required(OperationRef ref) {
    return Failures.of(() -> bed.workflow(GateWorkflow.Require.class).required(ref));
  }

  @Test
  void a_reference_whose_json_left_members_out_is_refused() throws Exception {
    OperationRef ref = new ObjectMapper().readValue("{\"receipt\":7}", OperationRef.class);

    ApplicationFailure failure = refused("share-part", ref);

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
    assertThat(failure.getOriginalMessage()).contains("not whole");
  }

  @Test
  void a_reference_into_another_scope_is_refused() {
    OperationRef ref = exported("scoped");
    OperationRef foreign =
        new OperationRef(
            new Scope("another tenant"),
            ref.operation(),
            ref.fingerprint(),
            ref.generation(),
            ref.epoch(),
            ref.effect(),
            ref.receipt(),
            ref.ledger());

    ApplicationFailure failure = refused("share-foreign", foreign);

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
  }
}
