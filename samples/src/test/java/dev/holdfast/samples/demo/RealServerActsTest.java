package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.activities.Holdfast;
import dev.holdfast.cli.HoldfastCli;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.samples.demo.HeldOrders.Manner;
import io.temporal.api.enums.v1.PendingActivityState;
import io.temporal.api.workflow.v1.PendingActivityInfo;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What operators do to running activities, which only a real server lets them do. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RealServerActsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final String run = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final WorkflowServiceStubs service;
  private final WorkflowClient client;
  private final ServerActs acts;
  private final HeldOrders orders = new HeldOrders();
  private WorkerFactory factory;

  RealServerActsTest(RealServer temporal) {
    this.service = FencedWorker.connect(temporal.target());
    this.client = WorkflowClient.newInstance(service);
    this.acts = new ServerActs(service);
  }

  @BeforeEach
  void start_a_worker() {
    // longer than the machine can hold the keeper up: no lease is lost here
    factory =
        WorkerFactory.newInstance(
            client,
            WorkerFactoryOptions.newBuilder()
                .setPlugins(
                    Holdfast.newBuilder(ledger.pool(8)).setLease(Duration.ofMinutes(1)).build())
                .build());
    Worker worker = factory.newWorker(run);
    worker.registerWorkflowImplementationTypes(HeldOrders.OrderingImpl.class);
    worker.registerActivitiesImplementations(orders.activity());
    factory.start();
  }

  @AfterEach
  void stop() {
    factory.shutdownNow();
    factory.awaitTermination(10, TimeUnit.SECONDS);
    service.shutdownNow();
    ledger.close();
  }

  /**
   * Who acts when: while the upstream holds its answer, or when the answer of an effect is lost.
   */
  enum Scenario {
    WORKFLOW_RESET(Manner.HELD),
    PAUSE(Manner.HELD),
    UNPAUSE(Manner.HELD),
    UNPAUSE_OF_A_SECOND_ATTEMPT(Manner.HELD_IN_THE_SECOND),
    RESET(Manner.HELD),
    RESET_OF_A_SECOND_ATTEMPT(Manner.HELD_IN_THE_SECOND),
    OPTIONS(Manner.HELD),
    WORKFLOW_RESET_AFTER(Manner.LOST),
    PAUSE_AND_UNPAUSE_AFTER(Manner.LOST),
    RESET_AFTER(Manner.LOST),
    OPTIONS_AFTER(Manner.LOST);

    private final Manner manner;

    Scenario(Manner manner) {
      this.manner = manner;
    }

    boolean isAfterTheEffect() {
      return manner == Manner.LOST;
    }

    static List<Scenario> all(boolean after) {
      return Stream.of(values()).filter(one -> one.isAfterTheEffect() == after).toList();
    }
  }

  private String id(Scenario scenario) {
    return run + "-" + scenario;
  }

  private WorkflowStub started(String id, String key, Manner manner, int retrySeconds) {
    HeldOrders.Ordering workflow =
        client.newWorkflowStub(
            HeldOrders.Ordering.class,
            WorkflowOptions.newBuilder().setTaskQueue(run).setWorkflowId(id).build());
    var unused = WorkflowClient.start(workflow::run, key, manner, retrySeconds);
    return WorkflowStub.fromTyped(workflow);
  }

  private void start(Scenario scenario, int retrySeconds) {
    var unused = started(id(scenario), scenario.name(), scenario.manner, retrySeconds);
  }

  private void act(Scenario scenario) {
    String id = id(scenario);
    switch (scenario) {
      case WORKFLOW_RESET, WORKFLOW_RESET_AFTER -> acts.resetWorkflow(id);
      case PAUSE -> acts.pause(id);
      case UNPAUSE, UNPAUSE_OF_A_SECOND_ATTEMPT, PAUSE_AND_UNPAUSE_AFTER -> {
        acts.pause(id);
        acts.unpause(id);
      }
      case RESET, RESET_OF_A_SECOND_ATTEMPT, RESET_AFTER -> acts.resetActivity(id);
      case OPTIONS, OPTIONS_AFTER -> acts.hurry(id);
    }
  }

  /** What shows that the act has come through, so that the held answer may come now. */
  private boolean hasCome(Scenario scenario) {
    String id = id(scenario);
    return switch (scenario) {
      case PAUSE -> orders.told(scenario.name()).contains("ActivityPausedException");
      case RESET -> orders.told(scenario.name()).contains("ActivityResetException");
      case WORKFLOW_RESET, UNPAUSE_OF_A_SECOND_ATTEMPT, RESET_OF_A_SECOND_ATTEMPT ->
          orders.told(scenario.name()).contains("ActivityNotExistsException");
      case OPTIONS -> acts.pending(id).filter(pending -> pending.getAttempt() > 1).isPresent();
      case UNPAUSE -> true;
      case WORKFLOW_RESET_AFTER, PAUSE_AND_UNPAUSE_AFTER, RESET_AFTER, OPTIONS_AFTER -> true;
    };
  }

  private String result(Scenario scenario) throws Exception {
    return client
        .newUntypedWorkflowStub(id(scenario))
        .getResult(60, TimeUnit.SECONDS, String.class);
  }

  @Test
  void what_is_done_to_an_activity_while_its_effect_runs_leads_to_no_second_request()
      throws Exception {
    List<Scenario> all = Scenario.all(false);
    all.forEach(scenario -> start(scenario, 1));
    for (Scenario scenario : all) {
      assertThat(orders.begun(scenario.name()).await(60, TimeUnit.SECONDS)).isTrue();
    }
    all.forEach(this::act);

    for (Scenario scenario : all) {
      await(scenario.name()).atMost(PATIENCE).until(() -> hasCome(scenario));
      orders.answer(scenario.name()).countDown();
    }

    for (Scenario scenario : all) {
      assertThat(result(scenario)).isEqualTo("ordered " + scenario);
      assertThat(orders.requests(scenario.name())).as("%s", scenario).hasSize(1);
      assertThat(state(scenario.name())).isEqualTo(OperationState.COMPLETED);
    }
  }

  @Test
  void what_is_done_to_an_activity_after_its_effect_leads_to_no_second_effect() throws Exception {
    List<Scenario> all = Scenario.all(true);
    // nothing but the act lets it run again
    all.forEach(scenario -> start(scenario, 600));
    for (Scenario scenario : all) {
      await(scenario.name()).atMost(PATIENCE).until(() -> isBackingOff(scenario));
    }

    all.forEach(this::act);

    for (Scenario scenario : all) {
      assertThat(result(scenario)).isEqualTo("ordered " + scenario);
      assertThat(orders.requests(scenario.name())).as("%s", scenario).hasSize(2);
      assertThat(orders.requests(scenario.name()).stream().distinct()).hasSize(1);
      assertThat(state(scenario.name())).isEqualTo(OperationState.COMPLETED);
    }
    assertThat(orders.attempts(Scenario.RESET_AFTER.name()))
        .as("the attempt number goes back, the details stay")
        .containsExactly("1 none", "1 cursor of RESET_AFTER");
    assertThat(orders.attempts(Scenario.PAUSE_AND_UNPAUSE_AFTER.name()))
        .containsExactly("1 none", "1 cursor of PAUSE_AND_UNPAUSE_AFTER");
    assertThat(orders.attempts(Scenario.OPTIONS_AFTER.name()))
        .containsExactly("1 none", "2 cursor of OPTIONS_AFTER");
  }

  private boolean isBackingOff(Scenario scenario) {
    return acts.pending(id(scenario)).filter(RealServerActsTest::isScheduledAgain).isPresent();
  }

  private static boolean isScheduledAgain(PendingActivityInfo pending) {
    return pending.getState() == PendingActivityState.PENDING_ACTIVITY_STATE_SCHEDULED
        && pending.getAttempt() == 2;
  }

  @Test
  void the_success_of_a_cancelled_and_of_a_terminated_workflow_is_in_the_ledger() throws Exception {
    List<String> ends = List.of("cancelled", "terminated");
    ends.forEach(end -> started(run + "-" + end, end, Manner.HELD, 1));
    for (String end : ends) {
      assertThat(orders.begun(end).await(60, TimeUnit.SECONDS)).isTrue();
    }
    client.newUntypedWorkflowStub(run + "-cancelled").cancel();
    client.newUntypedWorkflowStub(run + "-terminated").terminate("a test");
    await()
        .atMost(PATIENCE)
        .until(
            () ->
                orders.told("cancelled").contains("ActivityCanceledException")
                    && orders.told("terminated").contains("ActivityNotExistsException"));

    ends.forEach(end -> orders.answer(end).countDown());

    for (String end : ends) {
      await().atMost(PATIENCE).until(() -> state(end) == OperationState.COMPLETED);
      assertThat(shown(end)).contains("completed");
      WorkflowStub next = started(run + "-after-" + end, end, Manner.HELD, 1);
      assertThat(next.getResult(60, TimeUnit.SECONDS, String.class)).isEqualTo("ordered " + end);
      assertThat(orders.requests(end)).hasSize(1);
    }
  }

  private OperationState state(String key) {
    return JooqLedger.open(ledger.dataSource(), LedgerOptions.standard())
        .read(new Scope("default"), new OperationId("Order", key))
        .map(OperationView::state)
        .orElseThrow();
  }

  /** As the command line shows it. */
  private String shown(String key) {
    StringWriter printed = new StringWriter();
    PrintWriter out = new PrintWriter(printed);
    int code =
        HoldfastCli.run(
            out, out, "show", "--jdbc-url=" + ledger.jdbcUrl(), "--scope=default", "Order:" + key);
    assertThat(code).as("%s", printed).isZero();
    return printed.toString();
  }
}
