package dev.holdfast.workflows.internal;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.Scope;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.payload.codec.PayloadCodec;
import io.temporal.payload.codec.PayloadCodecException;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Temporal's test server with one worker whose workflow is what a test says. */
final class Bench implements AutoCloseable {
  static final String QUEUE = "exports";
  static final String ID = "scripted";

  /** The lease is as long as by default. */
  static final LeaseTimes TIMES = new LeaseTimes(Duration.ofSeconds(30), Duration.ofSeconds(2));

  /** The workflow of every test. */
  @WorkflowInterface
  public interface Scripted {
    /** Runs the script. */
    @WorkflowMethod
    String run();
  }

  final ScriptedExports exports = new ScriptedExports();
  final ScriptedLedger ledger = new ScriptedLedger();
  final WorkerSide workerSide;
  final TestWorkflowEnvironment environment;
  final Worker worker;
  private final String queue;

  /** With Holdfast's workflow side, and nothing named to it. */
  static Bench fenced(Supplier<String> script) {
    return of(script, DefaultDataConverter.newDefaultInstance(), interceptor(List.of()));
  }

  static Bench fenced(Supplier<String> script, WorkerInterceptor interceptor) {
    return of(script, DefaultDataConverter.newDefaultInstance(), interceptor);
  }

  /** On a server that skips the time in which nothing but timers is awaited. */
  static Bench skippingTime(Supplier<String> script) {
    return of(script, DefaultDataConverter.newDefaultInstance(), interceptor(List.of()), true);
  }

  static Bench encrypted(Supplier<String> script) {
    return of(script, codec(), interceptor(List.of()));
  }

  /** Without Holdfast. */
  static Bench bare(Supplier<String> script) {
    return of(script, DefaultDataConverter.newDefaultInstance(), null);
  }

  static FencedWorkflowInterceptor interceptor(Collection<Class<?>> named) {
    return new FencedWorkflowInterceptor(new Scope("tenant"), named, List::of, TIMES);
  }

  private static Bench of(
      Supplier<String> script, DataConverter converter, @Nullable WorkerInterceptor interceptor) {
    return of(script, converter, interceptor, false);
  }

  private static Bench of(
      Supplier<String> script,
      DataConverter converter,
      @Nullable WorkerInterceptor interceptor,
      boolean skipsTime) {
    WorkerSide side = new WorkerSide();
    List<WorkerInterceptor> interceptors = new ArrayList<>();
    if (interceptor != null) {
      interceptors.add(interceptor);
    }
    interceptors.add(side);
    TestWorkflowEnvironment environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseTimeskipping(skipsTime)
                .setWorkflowClientOptions(
                    WorkflowClientOptions.newBuilder().setDataConverter(converter).build())
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(interceptors.toArray(WorkerInterceptor[]::new))
                        .build())
                .build());
    return new Bench(environment, QUEUE, script, side);
  }

  /**
   * On a real server, as one who wants to keep the history: no name of this machine goes into it.
   *
   * @param queue of this run alone: a server may still hold a poll of a worker that is gone
   */
  static Bench recording(
      String target, String queue, Supplier<String> script, WorkerInterceptor... interceptors) {
    WorkerSide side = new WorkerSide();
    List<WorkerInterceptor> all = new ArrayList<>(List.of(interceptors));
    all.add(side);
    TestWorkflowEnvironment environment =
        TestWorkflowEnvironment.newInstance(
            TestEnvironmentOptions.newBuilder()
                .setUseExternalService(true)
                .setTarget(target)
                .setWorkflowClientOptions(
                    WorkflowClientOptions.newBuilder().setIdentity("recorder").build())
                .setWorkerFactoryOptions(
                    WorkerFactoryOptions.newBuilder()
                        .setWorkerInterceptors(all.toArray(WorkerInterceptor[]::new))
                        .build())
                .build());
    return new Bench(environment, queue, script, side);
  }

  private Bench(
      TestWorkflowEnvironment environment,
      String queue,
      Supplier<String> script,
      WorkerSide workerSide) {
    this.environment = environment;
    this.queue = queue;
    this.workerSide = workerSide;
    worker = environment.newWorker(queue);
    worker.registerWorkflowImplementationFactory(Scripted.class, () -> script::get);
    worker.registerActivitiesImplementations(exports);
    worker.registerActivitiesImplementations(ledger);
  }

  /** Runs the script to its end. */
  String run() {
    return WorkflowStub.fromTyped(start()).getResult(String.class);
  }

  /** Starts the script; the stub can cancel it and wait. */
  Scripted start() {
    if (!environment.isStarted()) {
      environment.start();
    }
    WorkflowClient client = environment.getWorkflowClient();
    Scripted workflow =
        client.newWorkflowStub(
            Scripted.class,
            WorkflowOptions.newBuilder().setTaskQueue(queue).setWorkflowId(ID).build());
    WorkflowClient.start(workflow::run);
    return workflow;
  }

  /** Tells the running script to look again, as an operators' tool does. */
  void signal() {
    running().signal(DurableWait.SIGNAL);
  }

  WorkflowStub running() {
    return environment.getWorkflowClient().newUntypedWorkflowStub(ID);
  }

  WorkflowExecutionHistory history() {
    return environment.getWorkflowClient().fetchHistory(ID);
  }

  long scheduled() {
    return history().getEvents().stream()
        .filter(HistoryEvent::hasActivityTaskScheduledEventAttributes)
        .count();
  }

  /** How long the timers were set, in order. */
  List<Duration> timers() {
    return history().getEvents().stream()
        .filter(HistoryEvent::hasTimerStartedEventAttributes)
        .map(event -> event.getTimerStartedEventAttributes().getStartToFireTimeout())
        .map(timeout -> Duration.ofSeconds(timeout.getSeconds(), timeout.getNanos()))
        .toList();
  }

  static Exports stub() {
    return Workflow.newActivityStub(Exports.class, options());
  }

  /** One attempt, so that its failure reaches the workflow. */
  static ActivityOptions options() {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofSeconds(20))
        .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
        .build();
  }

  /** Reverses the bytes, and refuses to decode what it did not encode. */
  static DataConverter codec() {
    return new CodecDataConverter(
        DefaultDataConverter.newDefaultInstance(), List.of(new ReversingCodec()), true);
  }

  private static final class ReversingCodec implements PayloadCodec {
    @Override
    public List<Payload> encode(List<Payload> payloads) {
      return payloads.stream()
          .map(
              payload ->
                  Payload.newBuilder()
                      .putMetadata("encoding", ByteString.copyFromUtf8("test/reversed"))
                      .setData(reversed(payload.toByteString()))
                      .build())
          .toList();
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      return payloads.stream().map(ReversingCodec::decoded).toList();
    }

    private static Payload decoded(Payload payload) {
      try {
        return Payload.parseFrom(reversed(payload.getData()));
      } catch (InvalidProtocolBufferException e) {
        throw new PayloadCodecException(e);
      }
    }

    private static ByteString reversed(ByteString bytes) {
      byte[] out = new byte[bytes.size()];
      for (int i = 0; i < out.length; i++) {
        out[i] = bytes.byteAt(out.length - 1 - i);
      }
      return ByteString.copyFrom(out);
    }
  }

  @Override
  public void close() {
    environment.close();
  }
}
