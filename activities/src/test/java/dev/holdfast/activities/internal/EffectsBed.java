package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.activity.Activity;
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
import java.util.function.UnaryOperator;
import org.jooq.Condition;
import org.jspecify.annotations.Nullable;

/** A worker whose fenced activities each run an effect of the test's. */
public final class EffectsBed implements AutoCloseable {
  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();
  private final HoldfastCounters counters = new HoldfastCounters();

  /** An effect of the test's own. */
  @FunctionalInterface
  interface Effect {
    @Nullable String run(FencedEffect effect) throws Exception;
  }

  /** One activity for each way to dispatch. */
  @ActivityInterface
  public interface Effects {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H")
    @Nullable String send(@OperationKey String key, String request);

    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        evidence = EvidenceRule.RESULT)
    @Nullable String tell(@OperationKey String key, String request);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    @Nullable String book(@OperationKey String key, String request);
  }

  /** All of them run the same effect. */
  static final class EffectsImpl implements Effects {
    private final Effect effect;

    EffectsImpl(Effect effect) {
      this.effect = effect;
    }

    @Override
    public @Nullable String send(String key, String request) {
      return run();
    }

    @Override
    public @Nullable String tell(String key, String request) {
      return run();
    }

    @Override
    public @Nullable String book(String key, String request) {
      return run();
    }

    private @Nullable String run() {
      try {
        return effect.run(FencedEffect.current());
      } catch (Exception e) {
        throw Activity.wrap(e);
      }
    }
  }

  /** Calls one of them. */
  @WorkflowInterface
  public interface Calls {
    @WorkflowMethod
    @Nullable String call(String activity, String key, String request, int attempts);
  }

  /**
   * The workflow, without the workflow side's settlement: failures come as the worker threw them.
   */
  public static final class CallsImpl implements Calls {
    @Override
    public @Nullable String call(String activity, String key, String request, int attempts) {
      return Workflow.newUntypedActivityStub(
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofSeconds(30))
                  .setRetryOptions(
                      RetryOptions.newBuilder()
                          .setInitialInterval(Duration.ofMillis(50))
                          .setBackoffCoefficient(1)
                          .setMaximumAttempts(attempts)
                          .build())
                  .build())
          .execute(activity, String.class, key, request);
    }
  }

  EffectsBed(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /** Starts a worker with this effect. */
  void start(Effect effect) {
    start(UnaryOperator.identity(), new EffectsImpl(effect));
  }

  /** Starts a worker with these activities, its plugin with these options. */
  void start(UnaryOperator<Holdfast.Builder> options, Object activities) {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(
                    options
                        .apply(
                            Holdfast.newBuilder(ledger.dataSource())
                                .setLease(WorkerBed.LEASE)
                                .setCounters(counters))
                        .build())
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(CallsImpl.class);
    worker.registerActivitiesImplementations(activities);
    factory.start();
  }

  @Nullable String call(String activity, String key, int attempts) {
    return call(activity, key, "request", attempts);
  }

  @Nullable String call(String activity, String key, String request, int attempts) {
    return bed.workflow(Calls.class).call(activity, key, request, attempts);
  }

  HoldfastCounters counters() {
    return counters;
  }

  WorkerBed workers() {
    return bed;
  }

  /** State, open attempts. */
  String state(String operation) {
    return ledger
        .sql()
        .select(OPERATION.STATE, OPERATION.OPEN_ATTEMPTS)
        .from(OPERATION)
        .where(is(operation))
        .fetchOptional(row -> row.value1() + ", " + row.value2() + " open")
        .orElse("none");
  }

  /** Upstream status and response digest of the one receipt. */
  String receipt(String operation) {
    return ledger
        .sql()
        .select(RECEIPT.UPSTREAM_STATUS, RECEIPT.RESPONSE_SHA256)
        .from(RECEIPT)
        .where(RECEIPT.OPERATION_ID.eq(operation))
        .fetchSingle(row -> row.value1() + " " + Sha256.ofDigest(row.value2()));
  }

  /** The kinds of what was observed of it, in order. */
  List<String> observations(String operation) {
    return ledger
        .sql()
        .select(OBSERVATION.KIND)
        .from(OBSERVATION)
        .where(OBSERVATION.OPERATION_ID.eq(operation))
        .orderBy(OBSERVATION.OBSERVED_AT)
        .fetch(OBSERVATION.KIND);
  }

  private static Condition is(String operation) {
    return OPERATION.OPERATION_ID.eq(operation);
  }

  @Override
  public void close() {
    bed.close();
  }
}
