package dev.holdfast.workflows;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationRef;
import dev.holdfast.Scope;
import dev.holdfast.Settled;
import dev.holdfast.workflows.internal.CapturedCall;
import dev.holdfast.workflows.internal.CompletionGate;
import dev.holdfast.workflows.internal.CurrentBinding;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Calls fenced activities through ordinary stubs and keeps the {@link OperationRef} that a gate
 * needs.
 *
 * <p>{@code call} is for methods that return a value, {@code run} for {@code void} ones. Both block
 * as the stub would and fail as the stub would; they also fail with {@link
 * HoldfastFailures#NOT_PROTECTABLE} where the method is not fenced, so that no reference exists.
 * For workflow code only; one call makes one activity.
 */
public final class FencedActivities {
  private FencedActivities() {}

  /**
   * Demands that the operation referred to is completed with that very tuple and effect. For a gate
   * before an activity that is not fenced; a fenced one takes the reference as {@code
   * RequiresCompleted}, which is judged in the transaction of its claim.
   *
   * @throws io.temporal.failure.ApplicationFailure {@link HoldfastFailures#GATE_CLOSED}, not
   *     retried where it cannot open any more; {@link HoldfastFailures#LEDGER_WENT_BACK}; {@link
   *     HoldfastFailures#LEDGER_UNAVAILABLE}
   */
  public static void requireCompleted(OperationRef ref) {
    CompletionGate.require(ref);
  }

  /** {@link #requireCompleted(OperationRef)} for each of them, in order. */
  public static void requireCompleted(List<OperationRef> refs) {
    refs.forEach(CompletionGate::require);
  }

  /**
   * The current generation of a binding, in the scope of operations whose arguments name none. It
   * is kept in the workflow's history: a replay sees the same, and so does a later call with the
   * value.
   *
   * @param name visible NFC text, at most 255 characters
   * @throws io.temporal.failure.ApplicationFailure {@link HoldfastFailures#LEDGER_UNAVAILABLE};
   *     {@link HoldfastFailures#INVALID_OPERATION}: no such name is possible
   */
  public static BindingRef currentBinding(String name) {
    return CurrentBinding.of(null, name(name));
  }

  /** {@link #currentBinding(String)} in the scope that an argument of the activity names. */
  public static BindingRef currentBinding(Scope scope, String name) {
    return CurrentBinding.of(scope, name(name));
  }

  private static BindingName name(String name) {
    try {
      return new BindingName(name);
    } catch (IllegalArgumentException e) {
      throw HoldfastFailures.invalidOperation("binding", String.valueOf(e.getMessage()));
    }
  }

  /** Calls a fenced activity and returns its value with the reference. */
  public static <A1 extends @Nullable Object, R extends @Nullable Object> Settled<R> call(
      FencedFunctions.Function1<A1, R> activity, A1 a1) {
    return CapturedCall.value(() -> activity.call(a1));
  }

  /** Calls a fenced activity and returns its value with the reference. */
  public static <
          A1 extends @Nullable Object, A2 extends @Nullable Object, R extends @Nullable Object>
      Settled<R> call(FencedFunctions.Function2<A1, A2, R> activity, A1 a1, A2 a2) {
    return CapturedCall.value(() -> activity.call(a1, a2));
  }

  /** Calls a fenced activity and returns its value with the reference. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          R extends @Nullable Object>
      Settled<R> call(FencedFunctions.Function3<A1, A2, A3, R> activity, A1 a1, A2 a2, A3 a3) {
    return CapturedCall.value(() -> activity.call(a1, a2, a3));
  }

  /** Calls a fenced activity and returns its value with the reference. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          R extends @Nullable Object>
      Settled<R> call(
          FencedFunctions.Function4<A1, A2, A3, A4, R> activity, A1 a1, A2 a2, A3 a3, A4 a4) {
    return CapturedCall.value(() -> activity.call(a1, a2, a3, a4));
  }

  /** Calls a fenced activity and returns its value with the reference. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object,
          R extends @Nullable Object>
      Settled<R> call(
          FencedFunctions.Function5<A1, A2, A3, A4, A5, R> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5) {
    return CapturedCall.value(() -> activity.call(a1, a2, a3, a4, a5));
  }

  /** Calls a fenced activity and returns its value with the reference. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object,
          A6 extends @Nullable Object,
          R extends @Nullable Object>
      Settled<R> call(
          FencedFunctions.Function6<A1, A2, A3, A4, A5, A6, R> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5,
          A6 a6) {
    return CapturedCall.value(() -> activity.call(a1, a2, a3, a4, a5, a6));
  }

  /** As {@code call}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <A1 extends @Nullable Object, R extends @Nullable Object>
      Promise<Settled<R>> callAsync(FencedFunctions.Function1<A1, R> activity, A1 a1) {
    return Async.function(() -> call(activity, a1));
  }

  /** As {@code call}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object, A2 extends @Nullable Object, R extends @Nullable Object>
      Promise<Settled<R>> callAsync(FencedFunctions.Function2<A1, A2, R> activity, A1 a1, A2 a2) {
    return Async.function(() -> call(activity, a1, a2));
  }

  /** As {@code call}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          R extends @Nullable Object>
      Promise<Settled<R>> callAsync(
          FencedFunctions.Function3<A1, A2, A3, R> activity, A1 a1, A2 a2, A3 a3) {
    return Async.function(() -> call(activity, a1, a2, a3));
  }

  /** As {@code call}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          R extends @Nullable Object>
      Promise<Settled<R>> callAsync(
          FencedFunctions.Function4<A1, A2, A3, A4, R> activity, A1 a1, A2 a2, A3 a3, A4 a4) {
    return Async.function(() -> call(activity, a1, a2, a3, a4));
  }

  /** As {@code call}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object,
          R extends @Nullable Object>
      Promise<Settled<R>> callAsync(
          FencedFunctions.Function5<A1, A2, A3, A4, A5, R> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5) {
    return Async.function(() -> call(activity, a1, a2, a3, a4, a5));
  }

  /** As {@code call}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object,
          A6 extends @Nullable Object,
          R extends @Nullable Object>
      Promise<Settled<R>> callAsync(
          FencedFunctions.Function6<A1, A2, A3, A4, A5, A6, R> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5,
          A6 a6) {
    return Async.function(() -> call(activity, a1, a2, a3, a4, a5, a6));
  }

  /** Runs a fenced activity and returns the reference. */
  public static <A1 extends @Nullable Object> Settled<@Nullable Void> run(
      FencedFunctions.Procedure1<A1> activity, A1 a1) {
    return CapturedCall.nothing(() -> activity.run(a1));
  }

  /** Runs a fenced activity and returns the reference. */
  public static <A1 extends @Nullable Object, A2 extends @Nullable Object>
      Settled<@Nullable Void> run(FencedFunctions.Procedure2<A1, A2> activity, A1 a1, A2 a2) {
    return CapturedCall.nothing(() -> activity.run(a1, a2));
  }

  /** Runs a fenced activity and returns the reference. */
  public static <
          A1 extends @Nullable Object, A2 extends @Nullable Object, A3 extends @Nullable Object>
      Settled<@Nullable Void> run(
          FencedFunctions.Procedure3<A1, A2, A3> activity, A1 a1, A2 a2, A3 a3) {
    return CapturedCall.nothing(() -> activity.run(a1, a2, a3));
  }

  /** Runs a fenced activity and returns the reference. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object>
      Settled<@Nullable Void> run(
          FencedFunctions.Procedure4<A1, A2, A3, A4> activity, A1 a1, A2 a2, A3 a3, A4 a4) {
    return CapturedCall.nothing(() -> activity.run(a1, a2, a3, a4));
  }

  /** Runs a fenced activity and returns the reference. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object>
      Settled<@Nullable Void> run(
          FencedFunctions.Procedure5<A1, A2, A3, A4, A5> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5) {
    return CapturedCall.nothing(() -> activity.run(a1, a2, a3, a4, a5));
  }

  /** Runs a fenced activity and returns the reference. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object,
          A6 extends @Nullable Object>
      Settled<@Nullable Void> run(
          FencedFunctions.Procedure6<A1, A2, A3, A4, A5, A6> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5,
          A6 a6) {
    return CapturedCall.nothing(() -> activity.run(a1, a2, a3, a4, a5, a6));
  }

  /** As {@code run}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <A1 extends @Nullable Object> Promise<Settled<@Nullable Void>> runAsync(
      FencedFunctions.Procedure1<A1> activity, A1 a1) {
    return Async.function(() -> run(activity, a1));
  }

  /** As {@code run}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <A1 extends @Nullable Object, A2 extends @Nullable Object>
      Promise<Settled<@Nullable Void>> runAsync(
          FencedFunctions.Procedure2<A1, A2> activity, A1 a1, A2 a2) {
    return Async.function(() -> run(activity, a1, a2));
  }

  /** As {@code run}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object, A2 extends @Nullable Object, A3 extends @Nullable Object>
      Promise<Settled<@Nullable Void>> runAsync(
          FencedFunctions.Procedure3<A1, A2, A3> activity, A1 a1, A2 a2, A3 a3) {
    return Async.function(() -> run(activity, a1, a2, a3));
  }

  /** As {@code run}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object>
      Promise<Settled<@Nullable Void>> runAsync(
          FencedFunctions.Procedure4<A1, A2, A3, A4> activity, A1 a1, A2 a2, A3 a3, A4 a4) {
    return Async.function(() -> run(activity, a1, a2, a3, a4));
  }

  /** As {@code run}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object>
      Promise<Settled<@Nullable Void>> runAsync(
          FencedFunctions.Procedure5<A1, A2, A3, A4, A5> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5) {
    return Async.function(() -> run(activity, a1, a2, a3, a4, a5));
  }

  /** As {@code run}, without waiting: the activity is scheduled when the workflow next blocks. */
  public static <
          A1 extends @Nullable Object,
          A2 extends @Nullable Object,
          A3 extends @Nullable Object,
          A4 extends @Nullable Object,
          A5 extends @Nullable Object,
          A6 extends @Nullable Object>
      Promise<Settled<@Nullable Void>> runAsync(
          FencedFunctions.Procedure6<A1, A2, A3, A4, A5, A6> activity,
          A1 a1,
          A2 a2,
          A3 a3,
          A4 a4,
          A5 a5,
          A6 a6) {
    return Async.function(() -> run(activity, a1, a2, a3, a4, a5, a6));
  }
}
