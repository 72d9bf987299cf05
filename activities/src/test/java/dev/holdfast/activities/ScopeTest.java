package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.Scope;
import dev.holdfast.activities.bed.BoundWorkflow;
import dev.holdfast.activities.bed.BoundWorkflow.Order;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerPlugin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whose operation it is. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ScopeTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  ScopeTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private WorkerPlugin scoped(String scope) {
    return Holdfast.newBuilder(ledger.dataSource())
        .setLease(WorkerBed.LEASE)
        .setLedgerScope(new Scope(scope))
        .build();
  }

  private EffectActivities activity() {
    return EffectActivities.of(request -> upstream.dispatch("x"));
  }

  @Test
  void the_namespace_is_the_scope_unless_the_plugin_was_given_another() {
    bed.start(WorkerBed.plugin(ledger.dataSource()), activity());
    bed.workflow(CallWorkflow.class).call(Call.once("in the namespace", "x"));

    assertThat(rows.scope("in the namespace")).isEqualTo("default");
  }

  @Test
  void the_scope_of_the_plugin_is_the_scope_of_its_operations() {
    bed.start(scoped("tenant-1"), activity());
    bed.workflow(CallWorkflow.class).call(Call.once("in the ledger scope", "x"));

    assertThat(rows.scope("in the ledger scope")).isEqualTo("tenant-1");
  }

  @Test
  void two_sides_with_different_scopes_are_refused_before_any_row_exists() {
    bed.start(scoped("tenant-1"));
    WorkerFactory activities =
        bed.factory(WorkerFactoryOptions.newBuilder().setPlugins(scoped("tenant-2")).build());
    activities.newWorker(WorkerBed.QUEUE).registerActivitiesImplementations(activity());
    activities.start();

    ApplicationFailure failure =
        Failures.of(
            () -> bed.workflow(CallWorkflow.class).call(Call.once("torn", "x").attempts(3)));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
    assertThat(failure.getOriginalMessage()).contains("same ledger scope");
    assertThat(rows.state("torn")).isEqualTo("none");
    assertThat(upstream.requests()).isZero();
  }

  @Test
  void a_binding_in_a_namespace_that_cannot_be_a_scope_is_refused_at_once() {
    try (WorkerBed named =
        new WorkerBed(WorkflowClientOptions.newBuilder().setNamespace("n".repeat(101)).build())) {
      named.start(WorkerBed.plugin(ledger.dataSource()));

      ApplicationFailure failure =
          Failures.of(
              () -> named.workflow(BoundWorkflow.class).run(new Order("any", null, false, 1)));

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
      assertThat(failure.getOriginalMessage()).contains("give the plugin a ledger scope");
    }
  }
}
