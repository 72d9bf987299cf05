package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.history.v1.ActivityTaskStartedEventAttributes;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A worker is shut down at once while effects run: each of their threads is interrupted. Without
 * the barrier a real server loses every completion that comes with the interrupt flag set.
 */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("try") // a worker serves by being there
class RealServerShutdownTest {
  private static final int ROUNDS = 40;

  private final String run = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final WorkflowServiceStubs service;
  private final Map<String, AtomicInteger> requests = new ConcurrentHashMap<>();
  private final Set<String> effects = ConcurrentHashMap.newKeySet();
  private final CountDownLatch allRun = new CountDownLatch(ROUNDS);

  RealServerShutdownTest(RealServer temporal) {
    this.service = FencedWorker.connect(temporal.target());
  }

  @AfterEach
  void stop() {
    service.shutdownNow();
    ledger.close();
  }

  /** Where the interrupt hits. */
  enum Interrupted {
    /** The request is under way: the effect is done, its answer never seen. */
    IN_THE_EFFECT,
    /** The answer is there: the activity returns, its interrupt flag set. */
    AT_THE_RETURN
  }

  /** The activity. */
  @ActivityInterface
  public interface Orders {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT1H")
    String order(@OperationKey String key);
  }

  /** The workflow. */
  @WorkflowInterface
  public interface Ordering {
    @WorkflowMethod
    String run(String key);
  }

  /** Retried soon where its worker is gone. */
  public static final class OrderingImpl implements Ordering {
    @Override
    public String run(String key) {
      return Workflow.newActivityStub(
              Orders.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(15)).build())
          .order(key);
    }
  }

  /** What the upstream answers. */
  private record Answer(int status, String body) {
    byte[] bytes() {
      return body.getBytes(StandardCharsets.UTF_8);
    }
  }

  private final class Implementation implements Orders {
    private final Interrupted where;

    Implementation(Interrupted where) {
      this.where = where;
    }

    @Override
    public String order(String key) {
      Answer answer =
          FencedEffect.current()
              .dispatch(
                  upstreamKey -> received(key, upstreamKey.value()),
                  Evidence.of(Answer::status, Answer::bytes));
      if (where == Interrupted.AT_THE_RETURN && isFirst(key)) {
        untilInterrupted();
        Thread.currentThread().interrupt();
      }
      return answer.body();
    }

    private Answer received(String key, String upstreamKey) {
      requests.computeIfAbsent(key, any -> new AtomicInteger()).incrementAndGet();
      if (effects.add(upstreamKey) && where == Interrupted.IN_THE_EFFECT) {
        untilInterrupted();
        throw new IllegalStateException("interrupted while the answer was awaited");
      }
      return new Answer(200, "ordered " + key);
    }

    private boolean isFirst(String key) {
      return requests.getOrDefault(key, new AtomicInteger()).get() == 1;
    }

    private void untilInterrupted() {
      allRun.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException expected) {
        // by the shutdown
      }
    }
  }

  private FencedWorker worker(Interrupted where) {
    return FencedWorker.start(service, ledger.pool(8), run, worker -> register(worker, where));
  }

  private void register(Worker worker, Interrupted where) {
    worker.registerWorkflowImplementationTypes(OrderingImpl.class);
    worker.registerActivitiesImplementations(new Implementation(where));
  }

  private static String key(int round) {
    return "order-" + round;
  }

  private CompletableFuture<String> started(int round) {
    Ordering workflow =
        WorkflowClient.newInstance(service)
            .newWorkflowStub(
                Ordering.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(run)
                    .setWorkflowId(run + "-" + round)
                    .build());
    return WorkflowClient.execute(workflow::run, key(round));
  }

  @ParameterizedTest
  @EnumSource
  void forty_of_forty_effects_happen_once_and_none_of_their_receipts_is_lost(Interrupted where)
      throws Exception {
    List<CompletableFuture<String>> orders;
    try (FencedWorker first = worker(where)) {
      orders = IntStream.range(0, ROUNDS).mapToObj(this::started).toList();
      assertThat(allRun.await(2, TimeUnit.MINUTES)).isTrue();
      first.stopNow();
    }
    try (FencedWorker second = worker(where)) {
      for (int round = 0; round < ROUNDS; round++) {
        assertThat(orders.get(round).get(2, TimeUnit.MINUTES)).isEqualTo("ordered " + key(round));
      }
    }

    assertThat(effects).hasSize(ROUNDS);
    assertThat(requests.values())
        .extracting(AtomicInteger::get)
        .hasSize(ROUNDS)
        .containsOnly(where == Interrupted.IN_THE_EFFECT ? 2 : 1);
    assertThat(IntStream.range(0, ROUNDS).mapToObj(this::state))
        .containsOnly(OperationState.COMPLETED);
    assertThat(IntStream.range(0, ROUNDS).mapToObj(this::attempts))
        .as("what the interrupted thread reported arrived, nothing was waited out")
        .containsOnly(where == Interrupted.IN_THE_EFFECT ? "2 after a failure" : "1");
  }

  /** How many there were, and what ended the one before the last. */
  private String attempts(int round) {
    ActivityTaskStartedEventAttributes last =
        WorkflowClient.newInstance(service).fetchHistory(run + "-" + round).getEvents().stream()
            .filter(HistoryEvent::hasActivityTaskStartedEventAttributes)
            .map(HistoryEvent::getActivityTaskStartedEventAttributes)
            .reduce((earlier, later) -> later)
            .orElseThrow();
    String before =
        last.getLastFailure().hasTimeoutFailureInfo() ? " after a time-out" : " after a failure";
    return last.getAttempt() + (last.hasLastFailure() ? before : "");
  }

  private OperationState state(int round) {
    return JooqLedger.open(ledger.dataSource(), LedgerOptions.standard())
        .read(new Scope("default"), new OperationId("Order", key(round)))
        .orElseThrow()
        .state();
  }
}
