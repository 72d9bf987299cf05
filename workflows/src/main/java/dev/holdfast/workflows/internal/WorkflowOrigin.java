package dev.holdfast.workflows.internal;

import java.util.Objects;

/**
 * Who asked for an effect, as far as key scopes need it and an activity cannot see it: none of the
 * three changes when the workflow is reset.
 */
public record WorkflowOrigin(
    String workflowId, String firstExecutionRunId, String originalExecutionRunId) {

  /** Refuses what JSON left out. */
  public WorkflowOrigin {
    Objects.requireNonNull(workflowId);
    Objects.requireNonNull(firstExecutionRunId);
    Objects.requireNonNull(originalExecutionRunId);
  }
}
