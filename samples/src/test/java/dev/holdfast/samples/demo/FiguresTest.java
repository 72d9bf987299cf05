package dev.holdfast.samples.demo;

import static dev.holdfast.UpstreamContract.VERIFIABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.Inquiry;
import dev.holdfast.activities.Reconciled;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.RetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a lost answer and a question cost a caller: printed, and counted, but never timed. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FiguresTest {
  private static final int ROUNDS = 30;
  private static final String QUEUE = "figures";
  private static final Duration BACK_OFF = Duration.ofMillis(100);

  private final EmbeddedLedger ledger;
  private final CountingProxy proxy;
  private final TestServer.InProcessTestServer temporal = TestServer.createServer(true);
  private final WorkflowServiceStubs service =
      WorkflowServiceStubs.newServiceStubs(
          WorkflowServiceStubsOptions.newBuilder().setChannel(temporal.getChannel()).build());
  private final WorkflowClient client = WorkflowClient.newInstance(service);
  private final HoldfastCounters counters = new HoldfastCounters();
  private final WorkerFactory workers;
  private final AtomicInteger effects = new AtomicInteger();

  FiguresTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.proxy = CountingProxy.before(ledger);
    this.workers = workers();
  }

  /** Publishes where the publisher can be asked. */
  @ActivityInterface
  public interface Publishing {
    /** How the ledger or the worker fares meanwhile. */
    enum Luck {
      GOOD,
      LOSES_THE_RECEIPTS_ANSWER,
      BREAKS_OFF_ONCE
    }

    /** Publishes. */
    @Fenced(upstream = VERIFIABLE, inFlight = "PT2S")
    String publish(@OperationKey String key, Luck luck);
  }

  /** Calls it. */
  @WorkflowInterface
  public interface PublishingWorkflow {
    /** Returns what was published. */
    @WorkflowMethod
    String run(String key, Publishing.Luck luck);
  }

  /** The workflow. */
  public static final class PublishingWorkflowImpl implements PublishingWorkflow {
    private final Publishing publishing =
        Workflow.newActivityStub(
            Publishing.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(RetryOptions.newBuilder().setInitialInterval(BACK_OFF).build())
                .build());

    @Override
    public String run(String key, Publishing.Luck luck) {
      return publishing.publish(key, luck);
    }
  }

  private final class Publisher implements Publishing, Reconciles<String> {
    private final Set<String> brokenOff = ConcurrentHashMap.newKeySet();

    @Override
    public String publish(String key, Luck luck) {
      String published =
          FencedEffect.current()
              .dispatch(
                  unsent -> "published " + effects.incrementAndGet(),
                  Evidence.of(a -> 200, a -> a.getBytes(StandardCharsets.UTF_8)));
      switch (luck) {
        case GOOD -> {}
        case LOSES_THE_RECEIPTS_ANSWER ->
            proxy.disturbNext(
                trip -> trip.mentions("insert into \"holdfast\".\"receipt\""),
                new Disturbance.CutBeforeAnswer());
        case BREAKS_OFF_ONCE -> {
          if (brokenOff.add(key)) {
            throw new IllegalStateException("after the effect");
          }
        }
      }
      return published;
    }

    @Override
    public Reconciled<String> reconcile(Inquiry inquiry) {
      return Reconciled.happened("found", 200, new byte[0]);
    }
  }

  private WorkerFactory workers() {
    WorkerFactory factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setPlugins(
                    Holdfast.newBuilder(ledger.pool(ledger.dataSource(proxy), 4))
                        .setLease(Duration.ofSeconds(5))
                        .setCounters(counters)
                        .build())
                .build());
    Worker worker = factory.newWorker(QUEUE);
    worker.registerWorkflowImplementationTypes(PublishingWorkflowImpl.class);
    worker.registerActivitiesImplementations(new Publisher());
    return factory;
  }

  @BeforeEach
  void start() {
    workers.start();
  }

  @AfterEach
  void stop() {
    workers.shutdownNow();
    service.shutdownNow();
    temporal.close();
    proxy.close();
  }

  /** The median over the rounds of how long a caller waits, in milliseconds. */
  private long median(Publishing.Luck luck) {
    long[] millis = new long[ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      PublishingWorkflow workflow =
          client.newWorkflowStub(
              PublishingWorkflow.class, WorkflowOptions.newBuilder().setTaskQueue(QUEUE).build());
      long begun = System.nanoTime();
      String unused = workflow.run(luck + " " + round, luck);
      millis[round] = Duration.ofNanos(System.nanoTime() - begun).toMillis();
    }
    Arrays.sort(millis);
    return millis[ROUNDS / 2];
  }

  @Test
  void of_a_receipt_that_is_read_back_and_of_an_effect_that_is_asked_about() {
    long plain = median(Publishing.Luck.GOOD);
    long readBack = median(Publishing.Luck.LOSES_THE_RECEIPTS_ANSWER);
    System.err.printf(
        "FIGURE replay-after-read-back ms=%d plain ms=%d read-backs=%d%n",
        readBack, plain, counters.readBacks());
    assertThat(counters.readBacks()).isEqualTo(ROUNDS);
    assertThat(counters.reconciled()).isZero();

    long asked = median(Publishing.Luck.BREAKS_OFF_ONCE);
    System.err.printf(
        "FIGURE reconciles count=%d ms=%d plain ms=%d back-off ms=%d%n",
        counters.reconciled(), asked, plain, BACK_OFF.toMillis());
    assertThat(counters.reconciled()).isEqualTo(ROUNDS);
    assertThat(counters.readBacks()).isEqualTo(ROUNDS);
    assertThat(counters.parked()).isZero();
    assertThat(effects).hasValue(3 * ROUNDS);
  }
}
