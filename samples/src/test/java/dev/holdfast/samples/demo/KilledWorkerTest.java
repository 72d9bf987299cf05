package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.samples.sharing.ExportActivities;
import dev.holdfast.samples.sharing.ExportRequest;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** How long the death of a worker process keeps its operation from everybody else. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@SuppressWarnings("try") // a worker serves by being there
class KilledWorkerTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration POLL = Duration.ofMillis(200);

  private static Backends backends;
  private static Stage stage;
  private static WorkflowServiceStubs service;
  private static JooqLedger ledger;

  /** An export that may take its time. */
  @WorkflowInterface
  public interface PatientExport {
    /** Returns when it is exported. */
    @WorkflowMethod
    void run(String exportId);
  }

  /** Lets one attempt last for as long as the test. */
  public static final class PatientExportImpl implements PatientExport {
    @Override
    public void run(String exportId) {
      ActivityOptions patient =
          ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(5)).build();
      Workflow.newActivityStub(ExportActivities.class, patient)
          .export(exportId, new ExportRequest("annual-report", "pdf"));
    }
  }

  @BeforeAll
  static void start() throws Exception {
    backends = Backends.fromEnvironment();
    stage = new Stage(backends);
    service = FencedWorker.connect(backends.temporal());
    ledger = JooqLedger.open(backends.dataSource(), LedgerOptions.standard());
  }

  @AfterAll
  static void stop() throws IOException {
    service.shutdownNow();
    stage.close();
    backends.close();
  }

  // cases C1 and F9
  @Test
  void a_killed_holder_keeps_its_key_for_the_rest_of_its_lease_and_no_longer() throws Exception {
    String queue = stage.key("killed");
    OperationId export = new OperationId("Export", queue);
    Death death;
    try (FencedWorker workflows = workflows(queue)) {
      try (WorkerProcess doomed = holdingWorker(queue)) {
        startExport(queue);
        doomed.awaitLine(HoldingWorker.EFFECT_DONE);
        assertThat(contend(export)).isInstanceOf(Claim.Busy.class);
        death = death(export);
      }
      takeOver(export, death);
    }
  }

  // case F11
  @Test
  void a_short_lease_lasts_as_long_as_the_effect_and_ends_with_its_holder() throws Exception {
    String queue = stage.key("patient");
    OperationId export = new OperationId("Export", queue);
    Death death;
    try (FencedWorker workflows = workflows(queue)) {
      try (WorkerProcess doomed = holdingWorker(queue)) {
        startExport(queue);
        doomed.awaitLine(HoldingWorker.EFFECT_DONE);
        // as long after as the page says, and fifteen leases
        Instant longAfter = stage.now().plus(Duration.ofSeconds(30));
        await()
            .pollInterval(POLL)
            .atMost(Duration.ofMinutes(1))
            .until(
                () -> {
                  assertThat(contend(export)).isInstanceOf(Claim.Busy.class);
                  return stage.now().isAfter(longAfter);
                });
        death = death(export);
        assertThat(stage.story(export).attempts()).hasSize(1);
      }
      takeOver(export, death);
    }
  }

  private record Death(FencingToken token, Instant at, Duration leaseRest) {}

  private static Death death(OperationId export) throws SQLException {
    // the instant first: what is left of the lease then is no less than what is read here
    Instant at = stage.now();
    OperationStory story = stage.story(export);
    return new Death(story.operation().token(), at, story.operation().leaseRest());
  }

  /** Polls with short calls, none of which waits. */
  private static void takeOver(OperationId export, Death death) {
    List<Claim> answers = new ArrayList<>();
    await()
        .pollInterval(POLL)
        .atMost(Duration.ofMinutes(1))
        .until(
            () -> {
              answers.add(contend(export));
              return answers.getLast() instanceof Claim.Granted;
            });
    Claim.Granted granted = (Claim.Granted) answers.removeLast();
    OperationStory story = stage.story(export);
    Duration after = Duration.between(death.at(), story.attempts().getLast().claimedAt());
    System.err.println(
        "FIGURE take-over ms=%d lease-rest ms=%d poll ms=%d"
            .formatted(after.toMillis(), death.leaseRest().toMillis(), POLL.toMillis()));

    assertThat(answers)
        .allSatisfy(
            answer ->
                assertThat(answer)
                    .isInstanceOfSatisfying(
                        Claim.Busy.class,
                        busy -> assertThat(busy.retryAfter()).isLessThanOrEqualTo(LEASE)));
    assertThat(after).isGreaterThanOrEqualTo(death.leaseRest());
    assertThat(granted.lease().token().value()).isGreaterThan(death.token().value());
    assertThat(story.operation().state()).isEqualTo(OperationState.IN_PROGRESS);
    assertThat(story.operation().openAttempts()).isEqualTo(2);
    ledger.abandon(granted.lease());
  }

  private static Claim contend(OperationId export) {
    Duration day = Duration.ofDays(1);
    return ledger.claim(
        new ClaimRequest(
            stage.story(export).operation().reservation(),
            ClaimId.random(),
            new WorkerName("contender"),
            new AttemptOrigin("default", null, null, null, 1),
            LEASE,
            LEASE,
            Duration.ZERO,
            LeaseMargin.STANDARD,
            new OpenAttemptRule.SameKeyAgain(
                day, Duration.ofSeconds(10), new OpenAttemptRule.ParkWhileOpen()),
            SettlementPolicy.STANDARD,
            List.of()));
  }

  private static FencedWorker workflows(String queue) {
    return FencedWorker.start(
        service,
        backends.dataSource(),
        queue,
        worker -> worker.registerWorkflowImplementationTypes(PatientExportImpl.class));
  }

  private static WorkerProcess holdingWorker(String queue)
      throws IOException, InterruptedException {
    return WorkerProcess.start(
        backends, HoldingWorker.class, queue, stage.exporter().uri().toString(), LEASE.toString());
  }

  private static void startExport(String queue) {
    PatientExport workflow =
        WorkflowClient.newInstance(service)
            .newWorkflowStub(
                PatientExport.class,
                WorkflowOptions.newBuilder().setTaskQueue(queue).setWorkflowId(queue).build());
    var unused = WorkflowClient.start(workflow::run, queue);
  }
}
