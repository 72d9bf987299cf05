package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationRef;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.bed.ExportThenShareWorkflow;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.GateWorkflow;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.RoundTrip;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A first effect turns out to have happened twice, before and while a second one claims. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LostGateTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final LedgerClock clock;
  private final CountingProxy proxy;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream publisher = new Upstream();
  private final AtomicInteger runs = new AtomicInteger();
  private final CountDownLatch sent = new CountDownLatch(1);
  private final CountDownLatch wakes = new CountDownLatch(1);
  private @Nullable CompletableFuture<String> sleeper;

  LostGateTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.clock = LedgerClock.of(ledger);
    this.proxy = CountingProxy.before(ledger);
  }

  /** An export whose upstream gives each effect an id of its own. */
  @ActivityInterface
  public interface Archives {
    @Fenced(upstream = UpstreamContract.VERIFIABLE, inFlight = "PT2S", operation = "Effect")
    String archive(@OperationKey String key, String request);
  }

  /** Archives and gives the reference away. */
  @WorkflowInterface
  public interface ArchiveWorkflow {
    @WorkflowMethod
    OperationRef archived(String key);
  }

  /** The workflow. */
  public static final class ArchiveWorkflowImpl implements ArchiveWorkflow {
    private final Archives archives =
        Workflow.newActivityStub(
            Archives.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(
                    RetryOptions.newBuilder().setInitialInterval(Duration.ofMillis(100)).build())
                .build());

    @Override
    public OperationRef archived(String key) {
      return FencedActivities.call(archives::archive, key, "x").ref();
    }
  }

  /** Its first run sends and sleeps; the upstream denies what it did. */
  private final class ArchivesImpl implements Archives, Reconciles<String> {
    @Override
    public String archive(String key, String request) {
      int run = runs.incrementAndGet();
      String done =
          FencedEffect.current()
              .dispatch(
                  unsent -> "archived",
                  Evidence.<String>of(a -> 200, a -> a.getBytes(StandardCharsets.UTF_8))
                      .withCommitment(a -> "archive-" + run));
      if (run == 1) {
        sent.countDown();
        awaitWaking();
      }
      return done;
    }

    private void awaitWaking() {
      try {
        assertThat(wakes.await(60, SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public Reconciled<String> reconcile(Inquiry inquiry) {
      return Reconciled.didNotHappen();
    }
  }

  @BeforeEach
  void start() {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource(proxy)))
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(
        ArchiveWorkflowImpl.class, GateWorkflow.ShareImpl.class, UntypedWorkflow.Impl.class);
    worker.registerActivitiesImplementations(
        new ArchivesImpl(), new ExportThenShareWorkflow.SharesImpl(publisher::dispatch));
    factory.start();
  }

  @AfterEach
  void close() {
    bed.close();
    proxy.close();
    clock.close();
  }

  private static boolean isClaim(RoundTrip trip) {
    return trip.mentions("\"claimed\" as");
  }

  /** Archived by a second attempt, while the first one still sleeps. */
  private OperationRef archivedTwice(String key) throws InterruptedException {
    sleeper =
        WorkflowClient.execute(bed.workflow(UntypedWorkflow.class)::call, "Archive", key, "x", 1);
    assertThat(sent.await(30, SECONDS)).isTrue();
    clock.shift(Duration.ofMinutes(5));
    return bed.workflow(ArchiveWorkflow.class).archived(key);
  }

  /** The sleeper tells its success: another effect than the one that was settled. */
  private void wake(String key) {
    wakes.countDown();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> rows.state(key).startsWith("conflict"));
  }

  private String share(String shareId, OperationRef ref) {
    return bed.workflow(GateWorkflow.Share.class).shared(shareId, ref, "reader");
  }

  @Test
  void a_late_second_effect_closes_the_gate_for_everybody_who_comes_after_it() throws Exception {
    OperationRef ref = archivedTwice("closed");
    assertThat(share("before", ref)).isEqualTo("did reader");

    wake("closed");

    ApplicationFailure failure = Failures.of(() -> share("after", ref));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.GATE_CLOSED);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("conflict");
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(publisher.requests()).isEqualTo(1);
    assertThat(Failures.of(() -> result(sleeper)).getType())
        .isEqualTo(HoldfastFailures.OPERATION_CONFLICTED);
  }

  @Test
  void a_lost_claim_behind_an_open_gate_costs_no_attempt() throws Exception {
    OperationRef ref = archivedTwice("open");
    proxy.disturbNext(LostGateTest::isClaim, new Disturbance.CutBeforeAnswer());

    assertThat(share("lost", ref)).isEqualTo("did reader");

    assertThat(proxy.isSpent()).isTrue();
    assertThat(publisher.requests()).isEqualTo(1);
  }

  @Test
  void a_lost_claim_behind_a_gate_that_closes_meanwhile_is_told_of_the_gate() throws Exception {
    OperationRef ref = archivedTwice("meanwhile");
    CountDownLatch lookedFor = new CountDownLatch(1);
    proxy.disturbNext(LostGateTest::isClaim, new Disturbance.CutBeforeAnswer());
    proxy.disturbNext(
        trip -> trip.mentions("transaction_isolation"), new Disturbance.HoldRequest(lookedFor));

    CompletableFuture<String> shared =
        WorkflowClient.execute(
            bed.workflow(GateWorkflow.Share.class)::shared, "told", ref, "reader");
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(proxy::isSpent);
    wake("meanwhile");
    lookedFor.countDown();

    ApplicationFailure failure = Failures.of(() -> result(shared));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.GATE_CLOSED);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("conflict");
    assertThat(publisher.requests()).isZero();
  }

  private static void result(@Nullable CompletableFuture<String> workflow) throws Exception {
    assertThat(workflow).isNotNull();
    try {
      var unused = workflow.get(60, SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }
}
