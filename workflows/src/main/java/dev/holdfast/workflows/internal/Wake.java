package dev.holdfast.workflows.internal;

import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import org.jspecify.annotations.Nullable;

/** Takes the signal of one workflow run and hands it to whoever waits. */
final class Wake implements DurableWait.Wakes {
  private CompletablePromise<@Nullable Void> next = Workflow.newPromise();

  /**
   * Once per run, as soon as the SDK can take a listener and before any signal is delivered: each
   * registration hands all buffered signals out again, and without this one a workflow's own
   * dynamic handler would get ours. Writes nothing to the history.
   */
  void listen() {
    Workflow.registerListener(this);
  }

  @Override
  public void lookAgain() {
    CompletablePromise<@Nullable Void> woken = next;
    next = Workflow.newPromise();
    woken.complete(null);
  }

  /** Ready with the next signal. */
  Promise<@Nullable Void> next() {
    return next;
  }
}
