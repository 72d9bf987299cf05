package dev.holdfast.cli;

import dev.holdfast.ledger.ActOutcome.Waiter;
import dev.holdfast.workflows.internal.DurableWait;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.serviceclient.RpcRetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Tells workflows to look again. By id, without a run: a reset or a continuation has moved the wait
 * to another one. Without a payload, for the tool has no codec of theirs.
 */
final class WaitingWorkflows {
  private final String address;
  private final Duration patience;

  /**
   * @param patience for all of them: who waits looks by itself in the end, a person sits before
   *     this
   */
  WaitingWorkflows(String address, Duration patience) {
    this.address = address;
    this.patience = patience;
  }

  /** What became of a signal. */
  enum Answer {
    TOLD("told"),
    /** It runs no longer. */
    GONE("gone"),
    /** It finds out by itself, later. */
    NOT_REACHED("not reached");

    private final String word;

    Answer(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** A workflow, whatever its run. */
  record Named(String namespace, String workflowId) {}

  static Set<Named> named(List<Waiter> waiting) {
    Set<Named> named = new LinkedHashSet<>();
    waiting.forEach(one -> named.add(new Named(one.namespace(), one.workflowId())));
    return named;
  }

  Map<Named, Answer> wake(List<Waiter> waiting) {
    Map<Named, Answer> answers = new LinkedHashMap<>();
    named(waiting).forEach(one -> answers.put(one, Answer.NOT_REACHED));
    if (!answers.isEmpty()) {
      service().ifPresent(service -> wake(service, answers));
    }
    return answers;
  }

  /** Empty where the address names nothing: the act is done all the same. */
  private Optional<WorkflowServiceStubs> service() {
    try {
      return Optional.of(WorkflowServiceStubs.newServiceStubs(options()));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private void wake(WorkflowServiceStubs service, Map<Named, Answer> answers) {
    long started = System.nanoTime();
    try {
      service.connect(patience);
      answers.replaceAll(
          (one, unknown) ->
              System.nanoTime() - started < patience.toNanos() ? signal(service, one) : unknown);
    } catch (RuntimeException e) {
      // nobody answers there: the others need not be tried one after the other
    } finally {
      service.shutdownNow();
    }
  }

  private static Answer signal(WorkflowServiceStubs service, Named one) {
    WorkflowClientOptions options =
        WorkflowClientOptions.newBuilder().setNamespace(one.namespace()).build();
    try {
      WorkflowClient.newInstance(service, options)
          .newUntypedWorkflowStub(one.workflowId())
          .signal(DurableWait.SIGNAL);
      return Answer.TOLD;
    } catch (WorkflowNotFoundException e) {
      return Answer.GONE;
    } catch (RuntimeException e) {
      // whatever it was, the act is done, and the others are to be told all the same
      return Answer.NOT_REACHED;
    }
  }

  private WorkflowServiceStubsOptions options() {
    return WorkflowServiceStubsOptions.newBuilder()
        .setTarget(address)
        .setRpcTimeout(patience)
        .setSystemInfoTimeout(patience)
        .setRpcRetryOptions(
            RpcRetryOptions.newBuilder().setExpiration(patience).validateBuildWithDefaults())
        .validateAndBuildWithDefaults();
  }
}
