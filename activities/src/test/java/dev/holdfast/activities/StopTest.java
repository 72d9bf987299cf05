package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.WorkflowClient;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerPlugin;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A worker is stopped while one activity stands in each step of the barrier. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StopTest {
  /** Longer than the whole test: a lease that nobody ends is seen. */
  private static final Duration LEASE = Duration.ofMinutes(2);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final CountingProxy proxy;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final Map<String, Thread> threads = new ConcurrentHashMap<>();
  private final Set<String> askers = ConcurrentHashMap.newKeySet();
  private final CountDownLatch goOn = new CountDownLatch(1);
  private final Map<Step, CountDownLatch> there = new ConcurrentHashMap<>();

  StopTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.proxy = CountingProxy.before(ledger);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    bed.close();
    proxy.close();
  }

  /** Where an activity stands when its worker is stopped. */
  enum Step {
    BEFORE_THE_CLAIM,
    IN_THE_EFFECT,
    BEFORE_THE_RECEIPT,
    IN_THE_SETTLEMENT,
    IN_THE_CLAIM;

    String key(String stop) {
      return stop + " " + this;
    }

    static Step of(String key) {
      return valueOf(key.substring(key.indexOf(' ') + 1));
    }
  }

  /** The same database; notes who asks it. */
  private DataSource noting(DataSource database) {
    return (DataSource)
        Proxy.newProxyInstance(
            DataSource.class.getClassLoader(),
            new Class<?>[] {DataSource.class},
            (self, method, arguments) -> {
              askers.add(Thread.currentThread().getName());
              return method.invoke(database, arguments);
            });
  }

  private static WorkerPlugin plugin(DataSource database) {
    return Holdfast.newBuilder(database).setLease(LEASE).build();
  }

  /** Sees the threads, and holds one of them before its claim. */
  private WorkerInterceptor watching() {
    return new WorkerInterceptorBase() {
      @Override
      public ActivityInboundCallsInterceptor interceptActivity(
          ActivityInboundCallsInterceptor next) {
        return new ActivityInboundCallsInterceptorBase(next) {
          @Override
          public void init(ActivityExecutionContext context) {
            String key = Objects.requireNonNull(context.getInfo().getWorkflowId());
            threads.put(key, Thread.currentThread());
            holdAt(Step.BEFORE_THE_CLAIM, Step.of(key));
            super.init(context);
          }
        };
      }
    };
  }

  private CountDownLatch there(Step step) {
    return there.computeIfAbsent(step, any -> new CountDownLatch(1));
  }

  private void holdAt(Step step, Step its) {
    if (step == its) {
      there(step).countDown();
      try {
        assertThat(goOn.await(60, SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException("interrupted by the stop", e);
      }
    }
  }

  private void holdNextAnswer(String statement) {
    proxy.disturbNext(trip -> trip.mentions(statement), new Disturbance.HoldAnswer(goOn));
  }

  private String carryOut(String key) {
    Step its = Step.of(key);
    String answer =
        FencedEffect.current()
            .dispatch(
                upstreamKey -> {
                  Upstream.Answer did =
                      upstream.receive(upstreamKey, new Upstream.Answer(200, "did " + key));
                  holdAt(Step.IN_THE_EFFECT, its);
                  return did;
                },
                Evidence.of(Upstream.Answer::status, did -> new byte[0]))
            .body();
    holdAt(Step.BEFORE_THE_RECEIPT, its);
    if (its == Step.IN_THE_SETTLEMENT) {
      holdNextAnswer("\"receipt_written\" as");
      there(its).countDown();
    }
    return answer;
  }

  /** The worker that is going to be stopped. */
  private WorkerFactory doomed() {
    bed.start(plugin(ledger.dataSource()));
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(plugin(noting(ledger.dataSource(proxy))))
                .setWorkerInterceptors(watching())
                .build());
    factory
        .newWorker(WorkerBed.QUEUE)
        .registerActivitiesImplementations(
            EffectActivities.of(request -> carryOut(String.valueOf(request))));
    factory.start();
    return factory;
  }

  /** One activity in each step; the answers of the ledger are held last, for they are awaited. */
  private Map<Step, CompletableFuture<String>> standing(String stop) throws Exception {
    Map<Step, CompletableFuture<String>> calls = new EnumMap<>(Step.class);
    for (Step step : Step.values()) {
      if (step == Step.IN_THE_CLAIM) {
        for (Step earlier : calls.keySet()) {
          assertThat(there(earlier).await(30, SECONDS)).isTrue();
        }
        Awaitility.await().atMost(PATIENCE).until(proxy::isSpent);
        holdNextAnswer("\"claimed\" as");
      }
      String key = step.key(stop);
      CallWorkflow workflow = bed.workflow(key, CallWorkflow.class);
      calls.put(step, WorkflowClient.execute(workflow::call, Call.once(key, key).attempts(5)));
    }
    Awaitility.await().atMost(PATIENCE).until(proxy::isSpent);
    return calls;
  }

  private void assertAllEndedAt(Instant stopped, List<Step> steps, String stop) {
    assertThat(steps)
        .allSatisfy(
            step ->
                assertThat(
                        rows.released(step.key(stop))
                            || rows.expiry(step.key(stop)).isBefore(stopped))
                    .as("the lease of %s is over", step)
                    .isTrue());
  }

  private void assertAllAnswered(Map<Step, CompletableFuture<String>> calls, String stop) {
    calls.forEach(
        (step, call) ->
            assertThat(call).succeedsWithin(PATIENCE).isEqualTo("did " + step.key(stop)));
    assertThat(upstream.effects()).isEqualTo(Step.values().length);
  }

  // case D5
  @Test
  void an_orderly_stop_finishes_what_was_begun_and_leaves_no_lease_behind() throws Exception {
    WorkerFactory factory = doomed();
    Map<Step, CompletableFuture<String>> calls = standing("orderly");

    factory.shutdown();
    goOn.countDown();
    factory.awaitTermination(30, SECONDS);

    assertThat(factory.isTerminated()).isTrue();
    assertThat(List.of(Step.values()))
        .allSatisfy(
            step -> {
              assertThat(rows.state(step.key("orderly"))).isEqualTo("completed, 0 open");
              assertThat(rows.released(step.key("orderly"))).isTrue();
            });
    assertThat(askers)
        .as("who waits for the activities waits for their releases")
        .noneMatch(asker -> asker.startsWith("holdfast-release"));
    assertAllAnswered(calls, "orderly");
    assertThat(upstream.requests()).isEqualTo(Step.values().length);
  }

  // case D3
  @Test
  void a_stop_that_interrupts_ends_every_lease_and_begins_no_effect() throws Exception {
    WorkerFactory factory = doomed();
    Map<Step, CompletableFuture<String>> calls = standing("interrupting");

    factory.shutdownNow();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                Stream.of(Step.IN_THE_CLAIM, Step.IN_THE_SETTLEMENT)
                    .map(step -> Objects.requireNonNull(threads.get(step.key("interrupting"))))
                    .allMatch(Thread::isInterrupted));
    goOn.countDown();
    factory.awaitTermination(30, SECONDS);
    Instant stopped = Instant.now();

    assertThat(factory.isTerminated()).isTrue();
    assertThat(Stream.of(Step.values()).map(step -> rows.state(step.key("interrupting"))))
        .containsExactly(
            "none", "unknown, 1 open", "unknown, 1 open", "completed, 0 open", "unknown, 0 open");
    assertAllEndedAt(
        stopped,
        List.of(
            Step.IN_THE_EFFECT, Step.BEFORE_THE_RECEIPT, Step.IN_THE_SETTLEMENT, Step.IN_THE_CLAIM),
        "interrupting");
    assertThat(upstream.requests()).isEqualTo(3);

    bed.start(
        plugin(ledger.dataSource()),
        EffectActivities.of(request -> upstream.dispatch(String.valueOf(request))));
    assertAllAnswered(calls, "interrupting");
    assertThat(upstream.requests()).isEqualTo(6 + 1);
  }
}
