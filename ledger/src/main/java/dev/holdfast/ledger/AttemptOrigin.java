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
    int attemptNumber) {}
