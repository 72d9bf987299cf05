package dev.holdfast.activities.internal;

import dev.holdfast.BindingRef;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationId;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.workflows.internal.FencedMethod;
import dev.holdfast.workflows.internal.Fingerprint;
import dev.holdfast.workflows.internal.OperationHeader;
import dev.holdfast.workflows.internal.OperationKeys;
import io.temporal.activity.ActivityInfo;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor.ActivityInput;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Takes the request of a call from its header and arguments, and refuses what cannot be one before
 * any row exists.
 */
final class RequestReader {
  private final @Nullable Scope ledgerScope;

  RequestReader(@Nullable Scope ledgerScope) {
    this.ledgerScope = ledgerScope;
  }

  /**
   * The request of this call.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation} or {@code
   *     NotProtectable}
   */
  FencedRequest read(FencedActivity activity, ActivityInfo info, ActivityInput input) {
    FencedMethod method = activity.method();
    @Nullable Object[] arguments = input.getArguments();
    Optional<OperationHeader> header = OperationHeader.readFrom(input.getHeader());
    header.ifPresent(sent -> refuseAnotherWorkflow(sent, info));
    OperationId operation =
        OperationKeys.operationId(method, arguments, header.map(OperationHeader::origin));
    Scope scope = OperationKeys.scope(method, arguments, ledgerScope, info.getNamespace());
    header.ifPresent(sent -> refuseAnotherOperation(sent, scope, operation));
    Optional<BindingRef> binding = method.binding(arguments);
    header.ifPresent(sent -> refuseAnotherGeneration(sent, binding));
    List<Completion> gates = gates(method, arguments);
    return new FencedRequest(
        method,
        reservation(method, scope, operation, header, binding, arguments),
        gates,
        origin(info),
        AttemptTime.of(info),
        new Question(activity.reconciler(), arguments),
        binding.map(ref -> Vocabulary.ledger(ref.name())).orElse(null),
        activity.attesting());
  }

  /** One that was carried along from elsewhere would name the origin of another's effect. */
  private static void refuseAnotherWorkflow(OperationHeader header, ActivityInfo info) {
    if (!header.origin().workflowId().equals(info.getWorkflowId())) {
      throw HoldfastFailures.invalidOperation(
          "header",
          "the header "
              + OperationHeader.NAME
              + " was made by another workflow: a context propagator carries it along");
    }
  }

  /** A header that a propagator overwrote, or that another ledger scope made, protects nothing. */
  private static void refuseAnotherOperation(
      OperationHeader header, Scope scope, OperationId operation) {
    if (!header.scope().equals(scope) || !header.names(operation)) {
      throw HoldfastFailures.invalidOperation(
          "header",
          "the header "
              + OperationHeader.NAME
              + " names another operation than the arguments: workflow worker and activity worker"
              + " need the same ledger scope and the same version of the activity interface");
    }
  }

  /** The workflow side took it from the same argument, so that another one was put in since. */
  private static void refuseAnotherGeneration(
      OperationHeader header, Optional<BindingRef> binding) {
    Generation generation = binding.map(BindingRef::generation).orElse(Generation.NONE);
    if (!header.generation().equals(generation)) {
      throw HoldfastFailures.invalidOperation(
          "header",
          "the header "
              + OperationHeader.NAME
              + " bears another binding generation than the arguments: workflow worker and activity"
              + " worker need the same version of the activity interface");
    }
  }

  private static Reservation reservation(
      FencedMethod method,
      Scope scope,
      OperationId operation,
      Optional<OperationHeader> header,
      Optional<BindingRef> binding,
      @Nullable Object[] arguments) {
    RequestFingerprint fingerprint =
        header
            .map(OperationHeader::fingerprint)
            .orElseGet(() -> Fingerprint.of(method, scope, arguments));
    Generation generation = binding.map(BindingRef::generation).orElse(Generation.NONE);
    dev.holdfast.ledger.OperationId id = Vocabulary.ledger(operation);
    return new Reservation(
        Vocabulary.ledger(scope),
        id,
        Vocabulary.ledger(fingerprint),
        Vocabulary.ledger(generation),
        method
            .resource()
            .map(name -> ResourceId.shared(name.value()))
            .orElseGet(() -> ResourceId.of(id)));
  }

  private static List<Completion> gates(FencedMethod method, @Nullable Object[] arguments) {
    try {
      return method.gates(arguments).stream().map(Vocabulary::ledger).toList();
    } catch (IllegalArgumentException e) {
      throw HoldfastFailures.invalidOperation("gate", String.valueOf(e.getMessage()));
    }
  }

  static AttemptOrigin origin(ActivityInfo info) {
    return new AttemptOrigin(
        info.getNamespace(),
        info.getWorkflowId(),
        info.getWorkflowRunId(),
        info.getActivityId(),
        info.getAttempt());
  }
}
