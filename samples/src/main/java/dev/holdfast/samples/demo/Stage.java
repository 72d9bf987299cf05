package dev.holdfast.samples.demo;

import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.samples.booking.BookingWorkflowImpl;
import dev.holdfast.samples.notice.HttpNoticeActivities;
import dev.holdfast.samples.notice.NoticeWorkflowImpl;
import dev.holdfast.samples.sharing.ExportThenShareWorkflowImpl;
import dev.holdfast.samples.sharing.ForgedShareWorkflowImpl;
import dev.holdfast.samples.sharing.HttpExportActivities;
import dev.holdfast.samples.sharing.HttpMandatedExportActivities;
import dev.holdfast.samples.sharing.HttpShareActivities;
import dev.holdfast.samples.sharing.MandatedExportActivities;
import dev.holdfast.samples.sharing.MandatedShareWorkflowImpl;
import dev.holdfast.samples.upstream.DocumentExporter;
import dev.holdfast.samples.upstream.SharePublisher;
import dev.holdfast.samples.upstream.Upstream;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import java.net.http.HttpClient;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** What every scenario plays on: a migrated ledger, two upstreams, one worker, one client. */
final class Stage implements AutoCloseable {
  private final Backends backends;
  private final JooqLedger ledger;
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
    this.worker = start(taskQueue(), this::register);
  }

  private FencedWorker start(String queue, Consumer<Worker> registering) {
    return FencedWorker.start(service, backends.dataSource(), queue, registering);
  }

  private void register(Worker on) {
    registerWorkflows(on);
    registerActivities(on);
  }

  private void registerWorkflows(Worker on) {
    on.registerWorkflowImplementationTypes(
        ExportThenShareWorkflowImpl.class,
        ForgedShareWorkflowImpl.class,
        BookingWorkflowImpl.class,
        NoticeWorkflowImpl.class);
  }

  private void registerActivities(Worker on) {
    HttpClient http = HttpClient.newHttpClient();
    on.registerActivitiesImplementations(
        new HttpExportActivities(http, exporter.uri()),
        new HttpShareActivities(http, publisher.uri()),
        new HttpNoticeActivities(http, publisher.uri()));
  }

  /** A worker for this queue that runs workflows alone, so that those of activities may die. */
  FencedWorker workflowsOn(String queue) {
    return start(queue, this::registerWorkflows);
  }

  /** A worker for this queue that runs activities alone. */
  FencedWorker activitiesOn(String queue) {
    return start(queue, this::registerActivities);
  }

  /** A worker for this queue that exports under a mandate, in the way that a scenario says. */
  FencedWorker mandatedOn(String queue, UnaryOperator<MandatedExportActivities> way) {
    HttpClient http = HttpClient.newHttpClient();
    return start(
        queue,
        on -> {
          on.registerWorkflowImplementationTypes(MandatedShareWorkflowImpl.class);
          on.registerActivitiesImplementations(
              way.apply(new HttpMandatedExportActivities(http, exporter.uri())),
              new HttpShareActivities(http, publisher.uri()));
        });
  }

  /** What a person may order. */
  OperatorActs acts() {
    return ledger.acts();
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
    return workflow(type, name, taskQueue());
  }

  /** A stub of a new workflow of this type, on this queue. */
  <W> W workflow(Class<W> type, String name, String queue) {
    return WorkflowClient.newInstance(service)
        .newWorkflowStub(
            type,
            WorkflowOptions.newBuilder()
                .setTaskQueue(queue)
                .setWorkflowId("demo-" + key(name))
                .build());
  }

  /** How many of these operations the ledger has a receipt of. */
  int receipts(OperationId... operations) {
    return (int)
        Stream.of(operations)
            .flatMap(operation -> ledger.read(scope(), operation).stream())
            .filter(operation -> operation.state() == OperationState.COMPLETED)
            .count();
  }

  /** All that the ledger keeps of this operation. */
  OperationStory story(OperationId operation) {
    return ledger.acts().show(scope(), operation).orElseThrow();
  }

  /** This operation, once a person is awaited for it. */
  Optional<AwaitingOperation> parked(OperationId operation) {
    AwaitingQuery query =
        AwaitingQuery.all().in(scope()).waitingFor(Set.of(AwaitingOperation.Cause.PARKED));
    return ledger.acts().list(query).stream()
        .filter(awaiting -> awaiting.operation().equals(operation))
        .findFirst();
  }

  /** The time of the ledger's database, which judges leases. */
  Instant now() throws SQLException {
    try (Connection connection = backends.dataSource().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select clock_timestamp()")) {
      row.next();
      return row.getObject(1, OffsetDateTime.class).toInstant();
    }
  }

  Scope scope() {
    return new Scope(WorkflowClient.newInstance(service).getOptions().getNamespace());
  }

  @Override
  public void close() {
    worker.close();
    service.shutdownNow();
    exporter.close();
    publisher.close();
  }
}
