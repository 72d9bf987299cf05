package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.VERIFIABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a reconciler found is the activity's result, of whatever kind that is. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReconciledResultsTest {
  private static final byte[] SEEN = {1, 2, 3};

  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  ReconciledResultsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** An element with a type of its own. */
  public record Item(String name, int count) {}

  /** One activity for each kind of result. */
  @ActivityInterface
  public interface Kinds {
    @Fenced(upstream = VERIFIABLE, inFlight = "PT2S")
    void nothing(@OperationKey String key);

    @Fenced(upstream = VERIFIABLE, inFlight = "PT2S")
    @Nullable String nullText(@OperationKey String key);

    @Fenced(upstream = VERIFIABLE, inFlight = "PT2S")
    List<Item> items(@OperationKey String key);

    @Fenced(upstream = VERIFIABLE, inFlight = "PT2S")
    Optional<Item> maybe(@OperationKey String key);
  }

  /** Calls each, and tells what it got, in words. */
  @WorkflowInterface
  public interface KindsWorkflow {
    @WorkflowMethod
    List<String> run(String key);
  }

  /** The workflow. */
  public static final class KindsWorkflowImpl implements KindsWorkflow {
    private final Kinds kinds =
        Workflow.newActivityStub(
            Kinds.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(
                    RetryOptions.newBuilder().setInitialInterval(Duration.ofMillis(100)).build())
                .build());

    @Override
    public List<String> run(String key) {
      kinds.nothing(key);
      return List.of(
          String.valueOf(kinds.nullText(key)),
          kinds.items(key).getLast().name(),
          kinds.maybe(key).map(Item::name).orElse("absent"));
    }
  }

  /** Each method's first run sends and breaks off. */
  private final class KindsImpl implements Kinds {
    private final Set<String> begun = ConcurrentHashMap.newKeySet();

    private IllegalStateException sentOnce(String method) {
      FencedEffect.current()
          .dispatch(
              key -> sent.incrementAndGet(), Evidence.of(count -> 200, count -> new byte[] {1}));
      assertThat(begun.add(method)).as("is not sent twice").isTrue();
      return new IllegalStateException("after");
    }

    @Override
    public void nothing(String key) {
      throw sentOnce("nothing");
    }

    @Override
    public @Nullable String nullText(String key) {
      throw sentOnce("nullText");
    }

    @Override
    public List<Item> items(String key) {
      throw sentOnce("items");
    }

    @Override
    public Optional<Item> maybe(String key) {
      throw sentOnce("maybe");
    }
  }

  /** Finds this for one of the activities. */
  private record Finds<R extends @Nullable Object>(String type, R result, AtomicInteger asked)
      implements Reconciles<R> {
    @Override
    public Reconciled<R> reconcile(Inquiry inquiry) {
      asked.incrementAndGet();
      return Reconciled.happened(result, 200, SEEN);
    }

    @Override
    public Set<String> activityTypes() {
      return Set.of(type);
    }
  }

  private void start() {
    Holdfast.Builder plugin = Holdfast.newBuilder(ledger.dataSource()).setLease(WorkerBed.LEASE);
    plugin.addReconciler(Kinds.class, new Finds<@Nullable Void>("Nothing", null, asked));
    plugin.addReconciler(Kinds.class, new Finds<@Nullable String>("NullText", null, asked));
    plugin.addReconciler(
        Kinds.class,
        new Finds<>("Items", List.of(new Item("first", 1), new Item("last", 2)), asked));
    plugin.addReconciler(
        Kinds.class, new Finds<>("Maybe", Optional.of(new Item("there", 3)), asked));
    WorkerFactory factory =
        bed.factory(WorkerFactoryOptions.newBuilder().setPlugins(plugin.build()).build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(KindsWorkflowImpl.class);
    worker.registerActivitiesImplementations(new KindsImpl());
    factory.start();
  }

  // cases A14 and B1
  @Test
  void nothing_null_and_generic_results_are_returned_as_found_and_replayed() {
    start();

    List<String> found = bed.workflow(KindsWorkflow.class).run("kinds");
    List<String> replayed = bed.workflow(KindsWorkflow.class).run("kinds");

    assertThat(found).containsExactly("null", "last", "there");
    assertThat(replayed).isEqualTo(found);
    assertThat(sent).hasValue(4);
    assertThat(asked).hasValue(4);
  }
}
