package dev.holdfast.samples.demo;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.RetryOptions;
import io.temporal.common.SimplePlugin;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ServerFailure;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The server refuses a result that grew on its way, though the effect is done and settled. */
@RealServerTest
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RealServerResultTooLargeTest {
  private static final int TOO_LARGE = 2_200_000;

  private final String queue = UUID.randomUUID().toString();
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();
  private final WorkflowServiceStubs service;
  private final WorkflowClient client;
  private final AtomicInteger requests = new AtomicInteger();
  private WorkerFactory factory;

  RealServerResultTooLargeTest(RealServer temporal) {
    service = FencedWorker.connect(temporal.target());
    client = WorkflowClient.newInstance(service);
    factory = WorkerFactory.newInstance(client);
  }

  @AfterEach
  void stop() {
    factory.shutdownNow();
    service.shutdownNow();
    ledger.close();
  }

  /** One fenced, one not. */
  @ActivityInterface
  public interface Reports {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT1H")
    String report(@OperationKey String key);

    String plainReport(String key);
  }

  private record ReportsImpl(AtomicInteger requests) implements Reports {
    @Override
    public String report(String key) {
      Integer count =
          FencedEffect.current()
              .dispatch(
                  any -> requests.incrementAndGet(),
                  Evidence.of(any -> 200, n -> ("n" + n).getBytes(StandardCharsets.UTF_8)));
      return "report " + count;
    }

    @Override
    public String plainReport(String key) {
      return "plain";
    }
  }

  /** Stands outside of the barrier, as what a plugin of another adds after ours does. */
  private static final class Bloating extends WorkerInterceptorBase {
    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        private boolean local;

        @Override
        public void init(ActivityExecutionContext context) {
          local = context.getInfo().isLocal();
          super.init(context);
        }

        @Override
        public ActivityOutput execute(ActivityInput input) {
          ActivityOutput output = super.execute(input);
          return local ? output : new ActivityOutput("x".repeat(TOO_LARGE));
        }
      };
    }
  }

  /** Tells what it got, or how it failed. */
  @WorkflowInterface
  public interface Reporting {
    @WorkflowMethod
    String run(String key);
  }

  /** The workflow. */
  public static final class ReportingImpl implements Reporting {
    @Override
    public String run(String key) {
      Reports reports =
          Workflow.newActivityStub(
              Reports.class,
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofSeconds(30))
                  .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                  .build());
      try {
        return reports.report(key) + ", " + reports.plainReport(key);
      } catch (ActivityFailure e) {
        return e.getActivityType()
            + (e.getCause() instanceof ServerFailure server
                ? ": " + server.getOriginalMessage()
                : ": " + e.getCause());
      }
    }
  }

  @Test
  void what_the_ledger_keeps_overrules_the_servers_refusal() throws Exception {
    var plugin = Holdfast.plugin(ledger.pool(4));
    factory =
        WorkerFactory.newInstance(
            client, WorkerFactoryOptions.newBuilder().setPlugins(plugin, new Outermost()).build());
    Worker worker = factory.newWorker(queue);
    worker.registerWorkflowImplementationTypes(ReportingImpl.class);
    worker.registerActivitiesImplementations(new ReportsImpl(requests));
    factory.start();
    Reporting workflow =
        client.newWorkflowStub(
            Reporting.class,
            WorkflowOptions.newBuilder().setTaskQueue(queue).setWorkflowId(queue).build());
    var unused = WorkflowClient.start(workflow::run, queue);

    String told = WorkflowStub.fromTyped(workflow).getResult(60, SECONDS, String.class);

    // the plain one shows that the server did refuse
    assertThat(told).isEqualTo("PlainReport: Complete result exceeds size limit.");
    assertThat(requests).hasValue(1);
  }

  /** Adds its interceptor after ours. */
  private static final class Outermost extends SimplePlugin {
    Outermost() {
      super("outermost");
    }

    @Override
    public void configureWorkerFactory(WorkerFactoryOptions.Builder builder) {
      var inner = builder.build().getWorkerInterceptors();
      var all = Arrays.copyOf(inner, inner.length + 1);
      all[inner.length] = new Bloating();
      builder.setWorkerInterceptors(all);
    }
  }
}
