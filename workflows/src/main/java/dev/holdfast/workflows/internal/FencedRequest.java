package dev.holdfast.workflows.internal;

import dev.holdfast.BindingRef;
import dev.holdfast.Generation;
import dev.holdfast.OperationId;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.interceptors.Header;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInfo;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one call of a fenced activity asks for, captured once, before anything is scheduled. */
record FencedRequest(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    WorkflowOrigin origin,
    LookupQuery.Attendance attendance) {

  /**
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}
   */
  static FencedRequest of(
      FencedMethod method, @Nullable Object[] arguments, @Nullable Scope ledgerScope) {
    WorkflowInfo workflow = Workflow.getInfo();
    WorkflowOrigin origin =
        new WorkflowOrigin(
            workflow.getWorkflowId(),
            workflow.getFirstExecutionRunId(),
            workflow.getOriginalExecutionRunId());
    OperationId operation = OperationKeys.operationId(method, arguments, Optional.of(origin));
    Scope scope = OperationKeys.scope(method, arguments, ledgerScope, workflow.getNamespace());
    // refuses references that are none
    var unused = method.gates(arguments);
    Optional<BindingRef> binding = method.binding(arguments);
    return new FencedRequest(
        scope,
        operation,
        Fingerprint.of(method, scope, arguments),
        binding.map(BindingRef::generation).orElse(Generation.NONE),
        origin,
        LookupQuery.Attendance.of(method, binding.map(BindingRef::name).orElse(null)));
  }

  /** Asks how it stands, and changes nothing. */
  LookupQuery query() {
    return new LookupQuery(scope, operation, fingerprint, generation, null, null);
  }

  /** Asks how it stands once all is done about it that needs no attempt. */
  LookupQuery attending() {
    return new LookupQuery(scope, operation, fingerprint, generation, null, attendance);
  }

  /** The header of a call that may dispatch, with our entries added. */
  Header addTo(Header header) {
    return with(header, sent());
  }

  /** The header of a call that fetches the stored result, with our entries added. */
  Header addFetchTo(Header header) {
    return with(header, sent().fetching());
  }

  private OperationHeader sent() {
    return OperationHeader.of(scope, operation, fingerprint, generation, origin);
  }

  private static Header with(Header header, OperationHeader sent) {
    Map<String, Payload> values = new HashMap<>(header.getValues());
    values.putAll(sent.entries());
    return new Header(values);
  }
}
