package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.BoundWorkflow;
import dev.holdfast.activities.bed.BoundWorkflow.Order;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerPlugin;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The generation that the workflow side sends is that of the argument, or nothing is done. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeaderGenerationTest {
  private final EmbeddedLedger ledger;

  HeaderGenerationTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  private static BindingRef mandate(long generation) {
    return new BindingRef(new BindingName("mandate"), new Generation(generation));
  }

  /** Puts another binding into a call whose header was written. */
  private static final class OtherMandate extends WorkerInterceptorBase {
    @Override
    public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
      return new WorkflowInboundCallsInterceptorBase(next) {
        @Override
        public void init(WorkflowOutboundCallsInterceptor calls) {
          super.init(
              new WorkflowOutboundCallsInterceptorBase(calls) {
                @Override
                public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
                  return super.executeActivity(swapped(input));
                }
              });
        }
      };
    }

    private static <R> WorkflowOutboundCallsInterceptor.ActivityInput<R> swapped(
        WorkflowOutboundCallsInterceptor.ActivityInput<R> input) {
      Object[] arguments = input.getArgs().clone();
      arguments[1] = mandate(8);
      return new WorkflowOutboundCallsInterceptor.ActivityInput<>(
          input.getActivityName(),
          input.getResultClass(),
          input.getResultType(),
          arguments,
          input.getOptions(),
          input.getHeader());
    }
  }

  /** This plugin, with an interceptor around even its own. */
  private static WorkerPlugin within(WorkerInterceptor outermost, WorkerPlugin plugin) {
    return (WorkerPlugin)
        Proxy.newProxyInstance(
            WorkerPlugin.class.getClassLoader(),
            new Class<?>[] {WorkerPlugin.class},
            (self, method, arguments) -> {
              Object answer = method.invoke(plugin, arguments);
              if (arguments != null
                  && arguments[0] instanceof WorkerFactoryOptions.Builder options) {
                WorkerInterceptor[] set = options.build().getWorkerInterceptors();
                WorkerInterceptor[] more = Arrays.copyOf(set, set.length + 1);
                more[set.length] = outermost;
                options.setWorkerInterceptors(more);
              }
              return answer;
            });
  }

  @Test
  void a_header_of_another_generation_than_the_argument_is_refused_before_the_claim() {
    Upstream upstream = new Upstream();
    try (WorkerBed bed = new WorkerBed()) {
      bed.start(
          within(new OtherMandate(), WorkerBed.plugin(ledger.dataSource())),
          new BoundWorkflow.BoundImpl(upstream::dispatch));

      ApplicationFailure failure =
          Failures.of(
              () ->
                  bed.workflow(BoundWorkflow.class)
                      .run(new Order("swapped", mandate(7), false, 3)));

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
      assertThat(failure.getDetails().get(0, String.class)).isEqualTo("header");
      assertThat(failure.getOriginalMessage()).contains("another binding generation");
    }
    assertThat(new OperationRows(ledger).state("swapped")).isEqualTo("none");
    assertThat(upstream.requests()).isZero();
  }
}
