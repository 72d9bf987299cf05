package dev.holdfast.samples.demo;

import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.samples.booking.BookingWorkflowImpl;
import dev.holdfast.samples.sharing.ExportThenShareWorkflowImpl;
import dev.holdfast.samples.sharing.ForgedShareWorkflowImpl;
import dev.holdfast.samples.sharing.HttpExportActivities;
import dev.holdfast.samples.sharing.HttpShareActivities;
import dev.holdfast.samples.upstream.DocumentExporter;
import dev.holdfast.samples.upstream.SharePublisher;
import dev.holdfast.samples.upstream.Upstream;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import java.net.http.HttpClient;
import java.util.UUID;
import java.util.stream.Stream;

/** What every scenario plays on: a migrated ledger, two upstreams, one worker, one client. */
final class Stage implements AutoCloseable {
  private final Backends backends;
  private final Ledger ledger;
  private final Upstream exporter;
  private final Upstream publisher;
  private final WorkflowServiceStubs service;
  private final FencedWorker worker;

  // external servers remember the last run: queues and keys of this one are its own
  private final String run = UUID.randomUUID().toString().substring(0, 8);

  Stage(Backends backends) throws Exception {
    this.backends = backends;
    JooqLedger.migrate(backends.dataSource());
    this.ledger = JooqLedger.open(backends.dataSource(), LedgerOptions.standard());
    this.exporter = DocumentExporter.start(0);
    this.publisher = SharePublisher.start(0);
    this.service = FencedWorker.connect(backends.temporal());
    this.worker = FencedWorker.start(service, backends.dataSource(), taskQueue(), this::register);
  }

  private void register(Worker on) {
    HttpClient http = HttpClient.newHttpClient();
    on.registerWorkflowImplementationTypes(
        ExportThenShareWorkflowImpl.class,
        ForgedShareWorkflowImpl.class,
        BookingWorkflowImpl.class);
    on.registerActivitiesImplementations(
        new HttpExportActivities(http, exporter.uri()),
        new HttpShareActivities(http, publisher.uri()));
  }

  Backends backends() {
    return backends;
  }

  Upstream exporter() {
    return exporter;
  }

  Upstream publisher() {
    return publisher;
  }

  /** A key that no other scenario and no other run uses. */
  String key(String name) {
    return name + "-" + run;
  }

  String taskQueue() {
    return "holdfast-demo-" + run;
  }

  /** A stub of a new workflow of this type. */
  <W> W workflow(Class<W> type, String name) {
    return WorkflowClient.newInstance(service)
        .newWorkflowStub(
            type,
            WorkflowOptions.newBuilder()
                .setTaskQueue(taskQueue())
                .setWorkflowId("demo-" + key(name))
                .build());
  }

  /** How many of these operations the ledger has a receipt of. */
  int receipts(OperationId... operations) {
    Scope scope = new Scope(WorkflowClient.newInstance(service).getOptions().getNamespace());
    return (int)
        Stream.of(operations)
            .flatMap(operation -> ledger.read(scope, operation).stream())
            .filter(operation -> operation.state() == OperationState.COMPLETED)
            .count();
  }

  @Override
  public void close() {
    worker.close();
    service.shutdownNow();
    exporter.close();
    publisher.close();
  }
}
