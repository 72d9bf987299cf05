package dev.holdfast.workflows.internal;

import dev.holdfast.Scope;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The workflow side of fenced activities: sends tuple and fingerprint along, keeps the reference of
 * the result, refuses what does not fit, and settles every failure against the ledger.
 *
 * <p>Activities without the annotation pass through untouched. Stateless but for its cache; one
 * instance serves any number of workers and threads.
 */
@SuppressWarnings("UnusedVariable")
public final class FencedWorkflowInterceptor extends WorkerInterceptorBase {
  private final @Nullable Scope ledgerScope;
  private final List<Class<?>> namedInterfaces;
  private final Supplier<? extends Collection<Class<?>>> registeredActivities;

  /**
   * @param ledgerScope the scope of operations whose arguments name none; null for the namespace
   * @param namedInterfaces activity interfaces that are looked at first
   * @param registeredActivities implementation classes registered in the same factory, asked anew
   *     until a method is found
   */
  public FencedWorkflowInterceptor(
      @Nullable Scope ledgerScope,
      Collection<Class<?>> namedInterfaces,
      Supplier<? extends Collection<Class<?>>> registeredActivities) {
    this.ledgerScope = ledgerScope;
    this.namedInterfaces = List.copyOf(namedInterfaces);
    this.registeredActivities = registeredActivities;
  }
}
