package dev.holdfast.samples.demo;

import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.KeyId;
import dev.holdfast.activities.evidence.MessageSignatureVerifier;
import dev.holdfast.activities.evidence.VerificationKey;
import dev.holdfast.samples.sharing.ShareActivities;
import dev.holdfast.samples.upstream.SigningKey;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** A worker with the plugin: all that a user has to register. */
final class FencedWorker implements AutoCloseable {
  // a demo does not wait 30 s for the lease of a worker that it killed
  private static final Duration LEASE = Duration.ofSeconds(2);

  private final WorkerFactory factory;

  private FencedWorker(WorkerFactory factory) {
    this.factory = factory;
  }

  static WorkflowServiceStubs connect(String temporal) {
    return WorkflowServiceStubs.newConnectedServiceStubs(
        WorkflowServiceStubsOptions.newBuilder().setTarget(temporal).build(),
        Duration.ofSeconds(30));
  }

  static FencedWorker start(
      WorkflowServiceStubs service,
      DataSource dataSource,
      String taskQueue,
      Consumer<Worker> register) {
    return start(service, dataSource, taskQueue, LEASE, options().build(), register);
  }

  /** With one slot for activities: while that is taken, it asks for no other. */
  static FencedWorker startSingle(
      WorkflowServiceStubs service,
      DataSource dataSource,
      String taskQueue,
      Duration lease,
      Consumer<Worker> register) {
    WorkerOptions single = options().setMaxConcurrentActivityExecutionSize(1).build();
    return start(service, dataSource, taskQueue, lease, single, register);
  }

  private static WorkerOptions.Builder options() {
    // the in-process test server never gives up a dead worker's sticky queue
    return WorkerOptions.newBuilder().setStickyQueueScheduleToStartTimeout(Duration.ZERO);
  }

  private static FencedWorker start(
      WorkflowServiceStubs service,
      DataSource dataSource,
      String taskQueue,
      Duration lease,
      WorkerOptions options,
      Consumer<Worker> register) {
    WorkerFactory factory =
        WorkerFactory.newInstance(
            WorkflowClient.newInstance(service),
            WorkerFactoryOptions.newBuilder()
                .setPlugins(
                    Holdfast.newBuilder(dataSource)
                        .setLease(lease)
                        .addEvidenceVerifier(ShareActivities.class, publisher())
                        .build())
                .build());
    Worker worker = factory.newWorker(taskQueue, options);
    register.accept(worker);
    factory.start();
    return new FencedWorker(factory);
  }

  /** Believes what the publisher of this process signs. */
  private static EvidenceVerifier publisher() {
    VerificationKey key = VerificationKey.ed25519(new KeyId(SigningKey.ID), SigningKey.published());
    return MessageSignatureVerifier.of(List.of(key), Clock.systemUTC());
  }

  /** Stops without waiting for the activities under way, whose threads are interrupted. */
  void stopNow() {
    factory.shutdownNow();
  }

  @Override
  public void close() {
    factory.shutdown();
    factory.awaitTermination(10, TimeUnit.SECONDS);
  }
}
