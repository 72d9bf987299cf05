package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.ExportThenShareWorkflow;
import dev.holdfast.activities.bed.ExportThenShareWorkflow.Document;
import dev.holdfast.activities.bed.ExportThenShareWorkflow.Shared;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HappyPathTest {
  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  HappyPathTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void an_export_is_shared_once_it_is_completed() {
    Upstream publisher = new Upstream();
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        new ExportThenShareWorkflow.ExportsImpl(document -> upstream.dispatch(document.title())),
        new ExportThenShareWorkflow.SharesImpl(publisher::dispatch));

    Shared shared =
        bed.workflow(ExportThenShareWorkflow.class)
            .run("export-1", "share-1", new Document("report", 3));

    assertThat(shared).isEqualTo(new Shared("did did report", false));
    assertThat(upstream.effects()).isEqualTo(1);
    assertThat(publisher.effects()).isEqualTo(1);
    assertThat(ledger.sql().fetchCount(DSL.table("receipt"))).isEqualTo(2);
  }

  @Test
  void a_second_workflow_with_the_same_key_gets_the_stored_result() {
    bed.start(
        WorkerBed.plugin(ledger.dataSource()), EffectActivities.of(r -> upstream.dispatch("it")));

    String first = bed.workflow(CallWorkflow.class).call(Call.once("same", "it"));
    String second = bed.workflow(CallWorkflow.class).call(Call.once("same", "it"));

    assertThat(first).isEqualTo("did it");
    assertThat(second).isEqualTo(first);
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
