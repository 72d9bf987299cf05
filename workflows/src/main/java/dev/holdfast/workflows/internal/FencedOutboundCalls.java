package dev.holdfast.workflows.internal;

import dev.holdfast.Scope;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.Header;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.unsafe.WorkflowUnsafe;
import java.lang.reflect.Type;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Tags every call of a fenced activity and settles its failure; lets all others through. */
final class FencedOutboundCalls extends WorkflowOutboundCallsInterceptorBase {
  private static final String REFUSAL_CHANGE = "holdfast-refusal";

  private final MethodFinder methods;
  private final @Nullable Scope ledgerScope;
  private final ImpatientOptions impatience;
  private final Wake wake;

  FencedOutboundCalls(
      WorkflowOutboundCallsInterceptor next,
      MethodFinder methods,
      @Nullable Scope ledgerScope,
      ImpatientOptions impatience,
      Wake wake) {
    super(next);
    this.methods = methods;
    this.ledgerScope = ledgerScope;
    this.impatience = impatience;
    this.wake = wake;
  }

  @Override
  public <R> ActivityOutput<R> executeActivity(ActivityInput<R> input) {
    String workflowType = Workflow.getInfo().getWorkflowType();
    Optional<FencedMethod> method = methods.find(workflowType, input.getActivityName());
    return method.isPresent() ? executeFenced(method.get(), input) : super.executeActivity(input);
  }

  private <R> ActivityOutput<R> executeFenced(FencedMethod method, ActivityInput<R> input) {
    CapturedCall capture = CapturedCall.take();
    WorkflowPayloads payloads = WorkflowPayloads.of(input);
    FencedRequest request;
    try {
      // the first call of a worker loads classes, and a codec may be slow: no deadlock
      request = WorkflowUnsafe.deadlockDetectorOff(() -> request(method, input, payloads));
    } catch (ApplicationFailure refusal) {
      return refuse(input, refusal);
    }
    impatience.warnOf(input.getActivityName(), input.getOptions());
    FailureSettlement<R> settlement = settlement(method, request, payloads, input, capture != null);
    return capture == null
        ? plain(tagged(input, request), settlement)
        : captured(raw(input, request), settlement, capture);
  }

  private <R> FailureSettlement<R> settlement(
      FencedMethod method,
      FencedRequest request,
      WorkflowPayloads payloads,
      ActivityInput<R> input,
      boolean wantsReference) {
    return new FailureSettlement<>(
        request,
        method.whenUnknown(),
        new StoredAnswers<>(
            request.operation().keyDigest(),
            payloads,
            input,
            () -> super.executeActivity(raw(input, request)),
            () -> super.executeActivity(raw(input, request.addFetchTo(input.getHeader())))),
        // the scope of the call: the settlement itself runs in a detached one
        new DurableWait(wake, CancellationScope.current()),
        wantsReference);
  }

  private FencedRequest request(
      FencedMethod method, ActivityInput<?> input, WorkflowPayloads payloads) {
    FencedRequest request = FencedRequest.of(method, input.getArgs(), ledgerScope);
    payloads.refuseTooLarge(input.getArgs());
    return request;
  }

  /** A history from before Holdfast has scheduled what we would refuse, so it must do so again. */
  private <R> ActivityOutput<R> refuse(ActivityInput<R> input, ApplicationFailure refusal) {
    int version = Workflow.getVersion(REFUSAL_CHANGE, Workflow.DEFAULT_VERSION, 1);
    return version == Workflow.DEFAULT_VERSION
        ? super.executeActivity(input)
        : new ActivityOutput<>("", Workflow.newFailedPromise(refusal));
  }

  private <R> ActivityOutput<R> plain(ActivityInput<R> input, FailureSettlement<R> settlement) {
    ActivityOutput<R> output = super.executeActivity(input);
    Promise<R> settled =
        output
            .getResult()
            .handle(
                (value, failure) ->
                    failure == null
                        ? Workflow.newPromise(value)
                        : settlement
                            .settle(failure, output.getActivityId())
                            .thenApply(SettledAnswer::value))
            .thenCompose(promise -> promise);
    return new ActivityOutput<>(output.getActivityId(), settled);
  }

  private <R> ActivityOutput<R> captured(
      ActivityInput<RawValue> input, FailureSettlement<R> settlement, CapturedCall capture) {
    ActivityOutput<RawValue> output = super.executeActivity(input);
    Promise<R> settled =
        output
            .getResult()
            .handle(
                (raw, failure) ->
                    failure == null
                        ? settlement.answer(raw, output.getActivityId())
                        : settlement.settle(failure, output.getActivityId()))
            .thenCompose(promise -> promise)
            .thenApply(capture::complete);
    return new ActivityOutput<>(output.getActivityId(), settled);
  }

  private static <R> ActivityInput<R> tagged(ActivityInput<R> input, FencedRequest request) {
    Header header = request.addTo(input.getHeader());
    return copy(input, input.getResultClass(), input.getResultType(), header);
  }

  private static ActivityInput<RawValue> raw(ActivityInput<?> input, FencedRequest request) {
    return raw(input, request.addTo(input.getHeader()));
  }

  private static ActivityInput<RawValue> raw(ActivityInput<?> input, Header header) {
    return copy(input, RawValue.class, RawValue.class, header);
  }

  private static <T> ActivityInput<T> copy(
      ActivityInput<?> input, Class<T> resultClass, Type resultType, Header header) {
    return new ActivityInput<>(
        input.getActivityName(),
        resultClass,
        resultType,
        input.getArgs(),
        input.getOptions(),
        header);
  }
}
