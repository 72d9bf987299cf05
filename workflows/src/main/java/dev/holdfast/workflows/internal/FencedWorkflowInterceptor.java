package dev.holdfast.workflows.internal;

import dev.holdfast.Scope;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import java.util.Collection;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The workflow side of fenced activities: sends tuple and fingerprint along, keeps the reference of
 * the result, refuses what does not fit, settles every failure against the ledger, and waits for a
 * person where only one can say what happened.
 *
 * <p>Activities without the annotation pass through untouched. Stateless but for its cache; one
 * instance serves any number of workers and threads.
 */
public final class FencedWorkflowInterceptor extends WorkerInterceptorBase {
  private final @Nullable Scope ledgerScope;
  private final MethodFinder methods;
  private final ImpatientOptions impatience;

  /**
   * @param ledgerScope the scope of operations whose arguments name none; null for the namespace
   * @param namedInterfaces activity interfaces that are looked at first
   * @param registeredActivities implementation classes registered in the same factory, asked anew
   *     until a method is found
   * @param times what a call's options are held against
   * @throws IllegalArgumentException a named interface declares what cannot be kept
   */
  public FencedWorkflowInterceptor(
      @Nullable Scope ledgerScope,
      Collection<Class<?>> namedInterfaces,
      Supplier<? extends Collection<Class<?>>> registeredActivities,
      LeaseTimes times) {
    this.ledgerScope = ledgerScope;
    this.methods = new MethodFinder(namedInterfaces, registeredActivities);
    this.impatience = new ImpatientOptions(times);
  }

  @Override
  public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
    return new WorkflowInboundCallsInterceptorBase(next) {
      @Override
      public void init(WorkflowOutboundCallsInterceptor outbound) {
        Wake wake = Wake.ofThisRun();
        super.init(new FencedOutboundCalls(outbound, methods, ledgerScope, impatience, wake));
        wake.listen();
      }
    };
  }
}
