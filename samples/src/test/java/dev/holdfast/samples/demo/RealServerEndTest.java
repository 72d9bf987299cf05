package dev.holdfast.samples.demo;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.samples.demo.HeldOrders.Manner;
import dev.holdfast.samples.demo.StuckWorker.Step;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A worker process ends while one of its activities stands in each step of the barrier. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("try") // a worker serves by being there
class RealServerEndTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String run = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final CountingProxy proxy = CountingProxy.before(ledger);
  private final CountDownLatch answers = new CountDownLatch(1);
  private final HeldOrders orders = new HeldOrders();
  private final String temporal;
  private final WorkflowServiceStubs service;

  RealServerEndTest(RealServer temporal) {
    this.temporal = temporal.target();
    this.service = FencedWorker.connect(temporal.target());
  }

  @AfterEach
  void stop() {
    answers.countDown();
    service.shutdownNow();
    proxy.close();
    ledger.close();
  }

  private WorkerProcess stuckWorker() throws Exception {
    String url = ledger.jdbcUrl().replace(":" + ledger.port(), ":" + proxy.port());
    return WorkerProcess.start(StuckWorker.class, List.of(temporal, url, run));
  }

  private FencedWorker workflows() {
    return FencedWorker.start(
        service,
        ledger.pool(4),
        run,
        worker -> worker.registerWorkflowImplementationTypes(HeldOrders.OrderingImpl.class));
  }

  private CompletableFuture<String> started(Step step) {
    HeldOrders.Ordering workflow =
        WorkflowClient.newInstance(service)
            .newWorkflowStub(
                HeldOrders.Ordering.class,
                WorkflowOptions.newBuilder()
                    .setTaskQueue(run)
                    .setWorkflowId(run + "-" + step)
                    .build());
    return WorkflowClient.execute(workflow::run, step.name(), Manner.HELD, 1);
  }

  private void holdNextAnswer(String statement) {
    proxy.disturbNext(trip -> trip.mentions(statement), new Disturbance.HoldAnswer(answers));
  }

  /** One order in each step; those that the ledger answers come last, for they are waited for. */
  private Map<Step, CompletableFuture<String>> standing(WorkerProcess worker) throws Exception {
    Map<Step, CompletableFuture<String>> calls = new EnumMap<>(Step.class);
    for (Step step : List.of(Step.BEFORE_THE_CLAIM, Step.IN_THE_EFFECT, Step.BEFORE_THE_RECEIPT)) {
      calls.put(step, started(step));
      worker.awaitLine(step.line());
    }
    holdNextAnswer("\"receipt_written\" as");
    calls.put(Step.IN_THE_SETTLEMENT, started(Step.IN_THE_SETTLEMENT));
    await().atMost(PATIENCE).until(proxy::isSpent);
    holdNextAnswer("\"claimed\" as");
    calls.put(Step.IN_THE_CLAIM, started(Step.IN_THE_CLAIM));
    await().atMost(PATIENCE).until(proxy::isSpent);
    return calls;
  }

  private static void assertOrdered(Map<Step, CompletableFuture<String>> calls) {
    calls.forEach(
        (step, call) -> assertThat(call).succeedsWithin(PATIENCE).isEqualTo("ordered " + step));
  }

  // case D5
  @Test
  void a_worker_that_is_asked_to_end_finishes_what_it_began_and_leaves_no_lease_behind()
      throws Exception {
    try (FencedWorker workflows = workflows();
        WorkerProcess worker = stuckWorker()) {
      Map<Step, CompletableFuture<String>> calls = standing(worker);

      worker.terminate();
      worker.tell(StuckWorker.GO_ON);
      answers.countDown();

      assertThat(worker.endsWithin(PATIENCE)).isTrue();
      assertThat(ledger.sql().fetchCount(OPERATION)).isEqualTo(Step.values().length);
      assertThat(ledger.sql().fetchCount(OPERATION, OPERATION.RELEASED.isFalse())).isZero();
      assertOrdered(calls);
    }
  }

  // case C1
  @Test
  void after_a_worker_that_was_killed_the_next_one_finishes_each_order_once() throws Exception {
    try (FencedWorker workflows = workflows()) {
      Map<Step, CompletableFuture<String>> calls;
      try (WorkerProcess doomed = stuckWorker()) {
        calls = standing(doomed);
      }
      // no answer comes any more to whoever asked
      for (Step step : Step.values()) {
        orders.answer(step.name()).countDown();
      }
      try (FencedWorker next =
          FencedWorker.start(
              service,
              ledger.pool(4),
              run,
              worker -> worker.registerActivitiesImplementations(orders.activity()))) {
        assertOrdered(calls);
      }
    }
    assertThat(orders.requests(Step.IN_THE_SETTLEMENT.name()))
        .as("its receipt was committed")
        .isEmpty();
    for (Step step :
        List.of(
            Step.BEFORE_THE_CLAIM,
            Step.IN_THE_CLAIM,
            Step.IN_THE_EFFECT,
            Step.BEFORE_THE_RECEIPT)) {
      assertThat(orders.requests(step.name())).as("%s", step).hasSize(1);
    }
  }
}
