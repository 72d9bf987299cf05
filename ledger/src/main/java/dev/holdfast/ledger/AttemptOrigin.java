package dev.holdfast.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Where a claim came from, for people and for signals to those who wait. Orders nothing: a reset
 * lets two executions overlap and attempt numbers go back.
 *
 * @param namespace the caller's namespace
 * @param workflowId absent outside a workflow
 * @param runId absent outside a workflow
 * @param activityId absent outside an activity
 * @param attemptNumber as the caller counts
 */
public record AttemptOrigin(
    String namespace,
    @Nullable String workflowId,
    @Nullable String runId,
    @Nullable String activityId,
    int attemptNumber) {
  private static final int NAMESPACE_LIMIT = 255;
  private static final int RUN_LIMIT = 100;
  private static final int ID_LIMIT = 1_000;

  /** Takes ids as they come: what cannot be stored of them must not hinder a claim. */
  public AttemptOrigin {
    namespace = Text.storable(namespace, NAMESPACE_LIMIT);
    workflowId = workflowId == null ? null : Text.storable(workflowId, ID_LIMIT);
    runId = runId == null ? null : Text.storable(runId, RUN_LIMIT);
    activityId = activityId == null ? null : Text.storable(activityId, ID_LIMIT);
  }
}
