package dev.holdfast.samples.demo;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.client.ActivityCompletionException;
import io.temporal.common.RetryOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Orders whose upstream answers when the test says so, or loses the first answer. */
final class HeldOrders {
  /** The activity. */
  @ActivityInterface
  public interface Orders {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT1H")
    String order(@OperationKey String key, Manner manner);
  }

  /** How the first effect of a key goes. */
  public enum Manner {
    /** Its answer is held while the activity heartbeats. */
    HELD,
    /** The same, in the second attempt: the first one ends before anything is sent. */
    HELD_IN_THE_SECOND,
    /** It is done and its answer is lost. */
    LOST
  }

  /** The workflow. */
  @WorkflowInterface
  public interface Ordering {
    @WorkflowMethod
    String run(String key, Manner manner, int retrySeconds);
  }

  /** Retried after so many seconds. */
  public static final class OrderingImpl implements Ordering {
    @Override
    public String run(String key, Manner manner, int retrySeconds) {
      return Workflow.newActivityStub(
              Orders.class,
              ActivityOptions.newBuilder()
                  .setStartToCloseTimeout(Duration.ofMinutes(2))
                  .setHeartbeatTimeout(Duration.ofSeconds(4))
                  .setRetryOptions(
                      RetryOptions.newBuilder()
                          .setInitialInterval(Duration.ofSeconds(retrySeconds))
                          .setBackoffCoefficient(1)
                          .build())
                  .build())
          .order(key, manner);
    }
  }

  /** What the upstream answers. */
  private record Answer(int status, String body) {
    byte[] bytes() {
      return body.getBytes(StandardCharsets.UTF_8);
    }
  }

  private final Map<String, List<String>> attempts = new ConcurrentHashMap<>();
  private final Map<String, List<String>> requests = new ConcurrentHashMap<>();
  private final Map<String, Set<String>> told = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> begun = new ConcurrentHashMap<>();
  private final Map<String, CountDownLatch> answers = new ConcurrentHashMap<>();

  /** The activity's implementation. */
  Orders activity() {
    return new Implementation();
  }

  private final class Implementation implements Orders {
    @Override
    public String order(String key, Manner manner) {
      ActivityExecutionContext context = Activity.getExecutionContext();
      String cursor = context.getHeartbeatDetails(String.class).orElse("none");
      list(attempts, key).add(context.getInfo().getAttempt() + " " + cursor);
      context.heartbeat("cursor of " + key);
      if (manner == Manner.HELD_IN_THE_SECOND && list(attempts, key).size() == 1) {
        throw ApplicationFailure.newBuilder()
            .setType("NotYet")
            .setMessage("nothing was sent")
            .setNextRetryDelay(Duration.ofMillis(1))
            .build();
      }
      return FencedEffect.current()
          .dispatch(
              upstreamKey -> received(key, manner, upstreamKey.value()),
              Evidence.of(Answer::status, Answer::bytes))
          .body();
    }
  }

  private Answer received(String key, Manner manner, String upstreamKey) {
    list(requests, key).add(upstreamKey);
    boolean first = list(requests, key).size() == 1;
    if (first && manner == Manner.LOST) {
      throw new IllegalStateException("the answer was lost");
    }
    if (first) {
      begun(key).countDown();
      heartbeatUntilAnswered(key);
    }
    return new Answer(200, "ordered " + key);
  }

  /** Whatever it is told, it goes on: the upstream has the order. */
  private void heartbeatUntilAnswered(String key) {
    boolean answered = false;
    while (!answered) {
      try {
        Activity.getExecutionContext().heartbeat("cursor of " + key);
      } catch (ActivityCompletionException e) {
        told(key).add(e.getClass().getSimpleName());
      }
      answered = isAnswered(key);
    }
  }

  private boolean isAnswered(String key) {
    try {
      return answer(key).await(200, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("interrupted while the answer was awaited", e);
    }
  }

  private static List<String> list(Map<String, List<String>> of, String key) {
    return of.computeIfAbsent(key, any -> new CopyOnWriteArrayList<>());
  }

  /** Number and heartbeat details of each attempt that came as far as the activity's own code. */
  List<String> attempts(String key) {
    return list(attempts, key);
  }

  /** The idempotency key of each request that the upstream got. */
  List<String> requests(String key) {
    return list(requests, key);
  }

  /** What heartbeats threw meanwhile. */
  Set<String> told(String key) {
    return told.computeIfAbsent(key, any -> ConcurrentHashMap.newKeySet());
  }

  /** Down once the upstream has the order and holds its answer. */
  CountDownLatch begun(String key) {
    return begun.computeIfAbsent(key, any -> new CountDownLatch(1));
  }

  /** To be counted down, so that the upstream answers. */
  CountDownLatch answer(String key) {
    return answers.computeIfAbsent(key, any -> new CountDownLatch(1));
  }
}
