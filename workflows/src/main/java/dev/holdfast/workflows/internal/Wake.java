package dev.holdfast.workflows.internal;

import io.temporal.workflow.CompletablePromise;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowLocal;
import org.jspecify.annotations.Nullable;

/** Takes the signal of one workflow run and hands it to whoever waits. */
final class Wake implements DurableWait.Wakes {
  /** One for each run, however many interceptors a user has set: the SDK takes one listener. */
  private static final WorkflowLocal<Wake> OF_THIS_RUN = WorkflowLocal.withCachedInitial(Wake::new);

  private CompletablePromise<@Nullable Void> next = Workflow.newPromise();
  private boolean listening;

  private Wake() {}

  static Wake ofThisRun() {
    return OF_THIS_RUN.get();
  }

  /**
   * Once per run, as soon as the SDK can take a listener and before any signal is delivered: each
   * registration hands all buffered signals out again, and without this one a workflow's own
   * dynamic handler would get ours. Writes nothing to the history.
   */
  void listen() {
    if (!listening) {
      listening = true;
      Workflow.registerListener(this);
    }
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
