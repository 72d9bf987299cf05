package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import dev.holdfast.BindingRef;
import dev.holdfast.BoundTo;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Takes a binding and requests an effect under it, once it is told to. */
@WorkflowInterface
public interface BoundWorkflow {
  @WorkflowMethod
  String run(Order order);

  /** Go on. */
  @SignalMethod
  void go();

  /**
   * What to do.
   *
   * @param binding taken now where it is null
   * @param waits for the signal, between taking the binding and the call
   */
  record Order(String key, @Nullable BindingRef binding, boolean waits, int attempts) {}

  /** One activity that is bound. */
  @ActivityInterface
  interface Bound {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", operation = "Effect")
    String bound(@OperationKey String key, @BoundTo BindingRef mandate);
  }

  /** The effect is the test's. */
  final class BoundImpl implements Bound {
    private final UnaryOperator<String> effect;

    public BoundImpl(UnaryOperator<String> effect) {
      this.effect = effect;
    }

    @Override
    public String bound(String key, BindingRef mandate) {
      return effect.apply(mandate.generation().toString());
    }
  }

  /** The workflow. */
  final class Impl implements BoundWorkflow {
    private boolean going;

    @Override
    public String run(Order order) {
      BindingRef given = order.binding();
      BindingRef mandate = given == null ? FencedActivities.currentBinding("mandate") : given;
      Workflow.await(() -> going || !order.waits());
      ActivityOptions options =
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(Duration.ofSeconds(30))
              .setRetryOptions(
                  RetryOptions.newBuilder()
                      .setInitialInterval(Duration.ofMillis(100))
                      .setMaximumAttempts(order.attempts())
                      .build())
              .build();
      return Workflow.newActivityStub(Bound.class, options).bound(order.key(), mandate);
    }

    @Override
    public void go() {
      going = true;
    }
  }
}
