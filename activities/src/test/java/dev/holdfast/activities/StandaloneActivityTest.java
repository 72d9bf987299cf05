package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.NoticeActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInfo;
import io.temporal.activity.ActivityInterface;
import io.temporal.common.interceptors.ActivityExecutionContextBase;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactoryOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Set;
import org.jooq.Record;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Activities that a client starts without a workflow. No server that these tests have runs them, so
 * the outermost interceptor takes away what such an activity has not: a workflow around it.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StandaloneActivityTest {
  private static final Set<String> ABSENT =
      Set.of("getWorkflowId", "getRunId", "getWorkflowRunId", "getWorkflowType");

  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  StandaloneActivityTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  /** A key of the workflow's own. */
  @ActivityInterface
  public interface InWorkflow {
    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        keyScope = KeyScope.WORKFLOW)
    String inWorkflow(@OperationKey String key, String request);
  }

  private record InWorkflowImpl(Upstream upstream) implements InWorkflow {
    @Override
    public String inWorkflow(String key, String request) {
      return upstream.dispatch(request);
    }
  }

  @BeforeEach
  void start() {
    WorkerFactoryOptions.Builder options = WorkerFactoryOptions.newBuilder();
    WorkerBed.plugin(ledger.dataSource()).configureWorkerFactory(options);
    WorkerInterceptor[] set = options.build().getWorkerInterceptors();
    WorkerInterceptor[] all = Arrays.copyOf(set, set.length + 1);
    all[set.length] = new WithoutWorkflow();
    bed.start(
        options.setWorkerInterceptors(all).build(),
        EffectActivities.of(r -> upstream.dispatch("x")),
        NoticeActivities.of(
            request -> {
              var unused = upstream.dispatch("x");
              throw new IllegalStateException("the answer was lost");
            }),
        new InWorkflowImpl(upstream));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private static final class WithoutWorkflow extends WorkerInterceptorBase {
    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        @Override
        public void init(ActivityExecutionContext context) {
          ActivityInfo info = alone(context.getInfo());
          super.init(
              new ActivityExecutionContextBase(context) {
                @Override
                public ActivityInfo getInfo() {
                  return info;
                }
              });
        }
      };
    }
  }

  private static ActivityInfo alone(ActivityInfo info) {
    return (ActivityInfo)
        Proxy.newProxyInstance(
            ActivityInfo.class.getClassLoader(),
            new Class<?>[] {ActivityInfo.class},
            (proxy, method, arguments) -> {
              if (ABSENT.contains(method.getName())) {
                return null;
              }
              if (method.getName().equals("getActivityRunId")) {
                return "a-run-of-its-own";
              }
              try {
                return method.invoke(info, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  void it_is_protected_and_started_again_it_gets_the_stored_result() {
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "alone", "x", 1))
        .isEqualTo("did x");
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "alone", "x", 1))
        .isEqualTo("did x");

    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("alone")).isEqualTo("completed, 0 open");
    Record origin =
        ledger
            .sql()
            .fetchSingle(
                "select workflow_id, run_id from operation where operation_id = 'Effect:alone'");
    assertThat(origin.intoList()).containsOnlyNulls();
  }

  @Test
  void no_workflow_waits_for_a_person_so_it_is_told_that_one_must_decide() {
    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Post", "parked", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(rows.parked("parked")).isNotNull();
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void a_key_scope_that_needs_a_workflow_is_refused() {
    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("InWorkflow", "k", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("key-scope");
    assertThat(upstream.requests()).isZero();
  }
}
