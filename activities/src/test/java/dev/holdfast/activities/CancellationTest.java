package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.CancellableWorkflow;
import dev.holdfast.activities.bed.CancellableWorkflow.Terms;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.CanceledFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A call is cancelled before, in and after its effect, in each of the ways that Temporal has. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CancellationTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final Map<String, CountDownLatch> begun = new ConcurrentHashMap<>();
  private final CountDownLatch goOn = new CountDownLatch(1);

  CancellationTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    bed.close();
  }

  /** How far the activity is when the cancellation comes. */
  enum Stage {
    BEFORE_THE_EFFECT,
    IN_THE_EFFECT,
    AFTER_THE_EFFECT
  }

  private CountDownLatch begun(String key) {
    return begun.computeIfAbsent(key, any -> new CountDownLatch(1));
  }

  private void start(Stage stage) {
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        EffectActivities.of(request -> carryOut(stage, String.valueOf(request))));
  }

  private String carryOut(Stage stage, String request) {
    return switch (stage) {
      case BEFORE_THE_EFFECT -> {
        untilToldToGoOn(request);
        yield upstream.dispatch(request);
      }
      case IN_THE_EFFECT ->
          FencedEffect.current()
              .dispatch(
                  key -> {
                    Upstream.Answer answer =
                        upstream.receive(key, new Upstream.Answer(200, "did " + request));
                    untilDone(request);
                    return answer;
                  },
                  Evidence.of(Upstream.Answer::status, answer -> new byte[0]))
              .body();
      case AFTER_THE_EFFECT -> {
        String answer = upstream.dispatch(request);
        untilDone(request);
        yield answer;
      }
    };
  }

  /** Heartbeats, which tells it of the cancellation. */
  private void untilToldToGoOn(String request) {
    begun(request).countDown();
    Awaitility.await()
        .pollInSameThread()
        .atMost(PATIENCE)
        .until(
            () -> {
              Activity.getExecutionContext().heartbeat("waiting");
              return goOn.getCount() == 0;
            });
  }

  private void untilDone(String request) {
    begun(request).countDown();
    try {
      assertThat(goOn.await(60, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private CompletableFuture<String> call(Stage stage, ActivityCancellationType type) {
    String key = key(stage, type);
    return WorkflowClient.execute(
        bed.workflow(key, CancellableWorkflow.class)::call, Terms.of(key).cancelledBy(type));
  }

  private static String key(Stage stage, ActivityCancellationType type) {
    return type + " " + stage;
  }

  private void awaitEvent(String workflowId, EventType event) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () ->
                bed.history(workflowId).getEvents().stream()
                    .anyMatch(happened -> happened.getEventType() == event));
  }

  /** What shows that the workflow has acted upon its cancellation. */
  private static EventType heard(ActivityCancellationType type) {
    return type == ActivityCancellationType.ABANDON
        ? EventType.EVENT_TYPE_MARKER_RECORDED
        : EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED;
  }

  // case D7
  @ParameterizedTest
  @EnumSource
  void a_cancelled_call_has_its_effect_and_its_result_or_neither(Stage stage) throws Exception {
    start(stage);
    Map<ActivityCancellationType, CompletableFuture<String>> calls =
        new EnumMap<>(ActivityCancellationType.class);
    for (ActivityCancellationType type : ActivityCancellationType.values()) {
      calls.put(type, call(stage, type));
    }
    List<ActivityCancellationType> told = new ArrayList<>();
    for (ActivityCancellationType type : ActivityCancellationType.values()) {
      assertThat(begun(key(stage, type)).await(30, SECONDS)).isTrue();
      bed.temporal()
          .getWorkflowClient()
          .newUntypedWorkflowStub(key(stage, type))
          .signal("cancelCall");
      awaitEvent(key(stage, type), heard(type));
      if (stage == Stage.BEFORE_THE_EFFECT && type != ActivityCancellationType.ABANDON) {
        told.add(type);
        assertThat(calls.get(type)).succeedsWithin(PATIENCE).isEqualTo("CanceledFailure");
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> rows.state(key(stage, type)).equals("unknown, 0 open"));
      }
    }
    goOn.countDown();

    List<ActivityCancellationType> carriedOut =
        Stream.of(ActivityCancellationType.values()).filter(type -> !told.contains(type)).toList();
    for (ActivityCancellationType type : carriedOut) {
      assertThat(calls.get(type)).succeedsWithin(PATIENCE).isEqualTo("did " + key(stage, type));
      assertThat(rows.state(key(stage, type))).isEqualTo("completed, 0 open");
    }
    assertThat(upstream.requests()).isEqualTo(carriedOut.size());
    assertThat(upstream.effects()).isEqualTo(carriedOut.size());
  }

  // case D7
  @Test
  void the_success_of_a_cancelled_workflow_is_what_the_next_one_of_its_key_gets() throws Exception {
    start(Stage.AFTER_THE_EFFECT);
    CallWorkflow cancelled = bed.workflow("cancelled", CallWorkflow.class);
    CompletableFuture<String> first =
        WorkflowClient.execute(cancelled::call, Call.once("survives", "x"));
    assertThat(begun("x").await(30, SECONDS)).isTrue();

    WorkflowStub.fromTyped(cancelled).cancel();
    awaitEvent("cancelled", EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED);
    goOn.countDown();

    assertThatThrownBy(() -> first.get(60, SECONDS)).hasRootCauseInstanceOf(CanceledFailure.class);
    assertThat(rows.state("survives")).isEqualTo("completed, 0 open");
    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("survives", "x")))
        .isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
