package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationErrorCategory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import io.temporal.worker.WorkerPlugin;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several calls want the same operation. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ContentionTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  ContentionTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    bed.close();
  }

  private EffectActivities held() {
    return EffectActivities.of(
        request -> {
          String answer = upstream.dispatch(String.valueOf(request));
          begun.countDown();
          assertThat(goOn.await(60, SECONDS)).isTrue();
          return answer;
        });
  }

  @Test
  void workflows_on_two_workers_that_race_for_one_key_make_one_effect() {
    EffectActivities activity = EffectActivities.of(request -> upstream.dispatch("x"));
    bed.start(WorkerBed.plugin(ledger.dataSource()), activity);
    bed.start(WorkerBed.plugin(ledger.dataSource()), activity);

    List<CompletableFuture<String>> calls =
        IntStream.range(0, 8)
            .mapToObj(
                i ->
                    WorkflowClient.execute(
                        bed.workflow(CallWorkflow.class)::call,
                        Call.once("raced", "x").attempts(20)))
            .toList();

    assertThat(calls).allSatisfy(call -> assertThat(call.get(60, SECONDS)).isEqualTo("did x"));
    assertThat(upstream.effects()).isEqualTo(1);
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void sixty_four_contenders_of_one_key_leave_the_slots_to_others_and_share_one_hold()
      throws Exception {
    AtomicInteger holds = new AtomicInteger();
    WorkerPlugin patient =
        Holdfast.newBuilder(ledger.dataSource())
            .setLease(WorkerBed.LEASE)
            .setWaitInPlace(Duration.ofSeconds(30))
            .build();
    bed.start(WorkerBed.plugin(ledger.dataSource()));
    fourSlots(
        patient,
        request -> {
          String answer = upstream.dispatch(String.valueOf(request));
          if ("contended".equals(request)) {
            holds.incrementAndGet();
            begun.countDown();
            assertThat(goOn.await(60, SECONDS)).isTrue();
          }
          return answer;
        });
    List<CompletableFuture<String>> contenders = calls(64, i -> "contended");
    assertThat(begun.await(30, SECONDS)).isTrue();

    assertThat(calls(8, i -> "other " + i))
        .allSatisfy(other -> assertThat(other.get(30, SECONDS)).startsWith("did other"));
    assertThat(contenders).noneMatch(CompletableFuture::isDone);
    goOn.countDown();

    assertThat(contenders)
        .allSatisfy(call -> assertThat(call.get(60, SECONDS)).isEqualTo("did contended"));
    assertThat(holds).as("the others waited for its receipt alone").hasValue(1);
    assertThat(upstream.requests()).isEqualTo(1 + 8);
    assertThat(rows.state("contended")).isEqualTo("completed, 0 open");
  }

  private List<CompletableFuture<String>> calls(int count, IntFunction<String> key) {
    return IntStream.range(0, count)
        .mapToObj(key)
        .map(
            one ->
                WorkflowClient.execute(
                    bed.workflow(CallWorkflow.class)::call, Call.once(one, one).attempts(100)))
        .toList();
  }

  /** A worker that runs four activities at once. */
  private void fourSlots(WorkerPlugin plugin, EffectActivities.Effect effect) {
    WorkerFactory factory =
        bed.factory(WorkerFactoryOptions.newBuilder().setPlugins(plugin).build());
    factory
        .newWorker(
            WorkerBed.QUEUE,
            WorkerOptions.newBuilder().setMaxConcurrentActivityExecutionSize(4).build())
        .registerActivitiesImplementations(EffectActivities.of(effect));
    factory.start();
  }

  @Test
  void a_call_that_finds_a_live_lease_is_busy_until_the_lease_should_be_over() throws Exception {
    bed.startApart(ledger.dataSource(), held());
    CompletableFuture<String> first =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("busy", "x"));
    assertThat(begun.await(30, SECONDS)).isTrue();

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "busy", "x", 1));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.OPERATION_BUSY);
    assertThat(failure.getCategory()).isEqualTo(ApplicationErrorCategory.BENIGN);
    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(Duration.parse(failure.getDetails().get(2, String.class)))
        .isPositive()
        .isLessThan(WorkerBed.LEASE.multipliedBy(2));
    goOn.countDown();
    assertThat(first.get(30, SECONDS)).isEqualTo("did x");
  }

  @Test
  void a_workflow_that_is_busy_to_the_end_waits_for_the_others_retry_too() throws Exception {
    AtomicInteger runs = new AtomicInteger();
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        EffectActivities.of(
            request -> {
              String answer = upstream.dispatch("x");
              if (runs.incrementAndGet() > 1) {
                return answer;
              }
              begun.countDown();
              assertThat(goOn.await(60, SECONDS)).isTrue();
              // longer than the pause between two looks, so that one falls in between
              throw ApplicationFailure.newBuilder()
                  .setMessage("the answer was lost")
                  .setType("Lost")
                  .setNextRetryDelay(WorkerBed.LEASE.multipliedBy(2))
                  .build();
            }));
    CompletableFuture<String> first =
        WorkflowClient.execute(
            bed.workflow(CallWorkflow.class)::call, Call.once("between", "x").attempts(2));
    assertThat(begun.await(30, SECONDS)).isTrue();
    CallWorkflow busy = bed.workflow("busy between", CallWorkflow.class);
    CompletableFuture<String> second =
        WorkflowClient.execute(busy::call, Call.once("between", "x"));
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                bed.history("busy between").getEvents().stream()
                    .anyMatch(HistoryEvent::hasTimerStartedEventAttributes));

    goOn.countDown();

    assertThat(first.get(60, SECONDS)).isEqualTo("did x");
    assertThat(second.get(60, SECONDS)).isEqualTo("did x");
    assertThat(runs).hasValue(2);
    assertThat(upstream.effects()).isEqualTo(1);
  }

  @Test
  void a_workflow_that_is_busy_to_the_end_gets_what_the_other_attempt_commits() throws Exception {
    bed.start(WorkerBed.plugin(ledger.dataSource()), held());
    CompletableFuture<String> first =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("waits", "x"));
    assertThat(begun.await(30, SECONDS)).isTrue();
    CompletableFuture<String> second =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("waits", "x"));

    goOn.countDown();

    assertThat(first.get(30, SECONDS)).isEqualTo("did x");
    assertThat(second.get(30, SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void the_keeper_renews_a_lease_for_as_long_as_the_effect_runs() throws Exception {
    bed.start(WorkerBed.plugin(ledger.dataSource()), held());
    CompletableFuture<String> call =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("kept", "x"));
    assertThat(begun.await(30, SECONDS)).isTrue();
    Instant granted = rows.expiry("kept");

    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> rows.expiry("kept").isAfter(granted.plus(WorkerBed.LEASE)));
    goOn.countDown();

    assertThat(call.get(30, SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void a_success_later_than_the_time_out_is_what_the_workflow_gets() throws Exception {
    bed.start(WorkerBed.plugin(ledger.dataSource()), held());
    CallWorkflow workflow = bed.workflow("late", CallWorkflow.class);
    CompletableFuture<String> call =
        WorkflowClient.execute(
            workflow::call, Call.once("late", "x").startToClose(Duration.ofSeconds(4)));
    assertThat(begun.await(30, SECONDS)).isTrue();

    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                bed.history("late").getEvents().stream()
                    .anyMatch(HistoryEvent::hasActivityTaskTimedOutEventAttributes));
    goOn.countDown();

    assertThat(call.get(30, SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("late")).isEqualTo("completed, 0 open");
  }

  // case I19
  @Test
  void no_connection_is_held_while_the_effect_runs() throws Exception {
    var pool = ledger.pool(1);
    bed.start(WorkerBed.plugin(pool), held());
    CompletableFuture<String> call =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("i19", "x"));
    assertThat(begun.await(30, SECONDS)).isTrue();

    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    goOn.countDown();

    assertThat(call.get(30, SECONDS)).isEqualTo("did x");
  }

  // case I17
  @Test
  void a_pool_of_one_connection_serves_sixteen_activities() {
    bed.start(
        WorkerBed.plugin(ledger.pool(1)),
        EffectActivities.of(r -> upstream.dispatch(String.valueOf(r))));

    List<CompletableFuture<String>> calls =
        IntStream.range(0, 16)
            .mapToObj(
                i ->
                    WorkflowClient.execute(
                        bed.workflow(CallWorkflow.class)::call,
                        Call.once("i17-" + i, "r" + i).attempts(3)))
            .toList();

    assertThat(calls).allSatisfy(call -> assertThat(call.get(60, SECONDS)).startsWith("did r"));
    assertThat(upstream.effects()).isEqualTo(16);
  }
}
