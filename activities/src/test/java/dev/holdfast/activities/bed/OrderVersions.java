package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One activity whose request type grows, and a workflow that calls it as its first version. */
@WorkflowInterface
public interface OrderVersions {
  @WorkflowMethod
  String order(String key);

  /** Version 1. */
  @ActivityInterface
  interface First {
    /** The request. */
    record Order(String text) {}

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String order(@OperationKey String key, First.Order order);
  }

  /** Version 2: a field that is never absent. */
  @ActivityInterface
  interface WithCopies {
    /** The request. */
    record Order(String text, int copies) {}

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String order(@OperationKey String key, WithCopies.Order order);
  }

  /** Version 2 again: a field that may be absent. */
  @ActivityInterface
  interface WithNote {
    /** The request. */
    record Order(String text, @Nullable String note) {}

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String order(@OperationKey String key, WithNote.Order order);
  }

  /** Each version does the same. */
  record FirstImpl(Supplier<String> effect) implements First {
    @Override
    public String order(String key, First.Order order) {
      return effect.get();
    }
  }

  /** Each version does the same. */
  record WithCopiesImpl(Supplier<String> effect) implements WithCopies {
    @Override
    public String order(String key, WithCopies.Order order) {
      return effect.get();
    }
  }

  /** Each version does the same. */
  record WithNoteImpl(Supplier<String> effect) implements WithNote {
    @Override
    public String order(String key, WithNote.Order order) {
      return effect.get();
    }
  }

  /** The workflow. */
  final class Impl implements OrderVersions {
    @Override
    public String order(String key) {
      return Workflow.newActivityStub(
              First.class,
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofSeconds(30))
                  .setRetryOptions(
                      RetryOptions.newBuilder()
                          .setInitialInterval(Duration.ofMillis(100))
                          .setBackoffCoefficient(1)
                          .build())
                  .build())
          .order(key, new First.Order("a"));
    }
  }
}
