package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.Settled;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowThreadLocal;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One call of {@code FencedActivities}: the interceptor takes it from the workflow thread when it
 * schedules the activity, and leaves the reference here.
 */
public final class CapturedCall {
  private static final WorkflowThreadLocal<@Nullable CapturedCall> CURRENT =
      new WorkflowThreadLocal<>();

  private @Nullable ResultMetadata metadata;

  private CapturedCall() {}

  /** An activity method that returns nothing, with its arguments. */
  @FunctionalInterface
  public interface Nothing {
    /** Calls the activity. */
    void run() throws Exception;
  }

  /** Calls an activity that returns a value. */
  public static <R extends @Nullable Object> Settled<R> value(Callable<R> activity) {
    CapturedCall capture = new CapturedCall();
    CapturedCall outer = CURRENT.get();
    CURRENT.set(capture);
    try {
      R value = activity.call();
      ResultMetadata metadata = capture.metadata();
      return new Settled<>(value, metadata.ref(), metadata.replayed());
    } catch (Exception e) {
      throw Workflow.wrap(e);
    } finally {
      CURRENT.set(outer);
    }
  }

  /** Calls an activity that returns nothing. */
  public static Settled<@Nullable Void> nothing(Nothing activity) {
    return value(
        () -> {
          activity.run();
          return null;
        });
  }

  /**
   * The call that waits for a reference on this workflow thread; only the first activity gets it.
   */
  static @Nullable CapturedCall take() {
    CapturedCall capture = CURRENT.get();
    CURRENT.set(null);
    return capture;
  }

  /** Keeps the reference and hands the value on. */
  <R> @Nullable R complete(SettledAnswer<R> answer) {
    metadata = answer.metadata();
    return answer.value();
  }

  private ResultMetadata metadata() {
    ResultMetadata found = metadata;
    if (found == null) {
      throw HoldfastFailures.notProtectable(
          "no-reference",
          "the call made no fenced activity through a typed stub, so there is no reference to it");
    }
    return found;
  }
}
