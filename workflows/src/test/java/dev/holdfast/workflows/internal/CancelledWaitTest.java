package dev.holdfast.workflows.internal;

import static dev.holdfast.workflows.internal.ScriptedLedger.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.activity.ActivityCancellationType;
import io.temporal.activity.ActivityOptions;
import io.temporal.api.enums.v1.EventType;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A wait ends with the scope that waits. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CancelledWaitTest extends WaitBed {
  @Test
  void a_cancelled_workflow_waits_no_longer() {
    List<Throwable> told = new ArrayList<>();
    Supplier<String> script =
        () -> {
          try {
            return find();
          } catch (ActivityFailure e) {
            told.add(e.getCause());
            throw e;
          }
        };
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.running().cancel();

      assertThatThrownBy(() -> resultSoon(bench)).hasCauseInstanceOf(CanceledFailure.class);
      assertThat(told).singleElement().isInstanceOf(CanceledFailure.class);
    }
  }

  @Test
  void a_call_in_a_scope_of_its_own_waits_no_longer_than_that() {
    Supplier<String> script =
        () -> {
          var calling =
              Workflow.newCancellationScope(
                  scope -> {
                    var found = Async.function(Bench.stub()::find, "e-1");
                    Workflow.newTimer(Duration.ofHours(5)).thenApply(fired -> cancel(scope));
                    assertThatThrownBy(found::get).isInstanceOf(ActivityFailure.class);
                  });
          calling.run();
          return "gone on";
        };
    try (Bench bench = skipping(script)) {
      bench.ledger.then(row(State.PARKED, 1));

      assertThat(bench.run()).isEqualTo("gone on");
    }
  }

  private static boolean cancel(io.temporal.workflow.CancellationScope scope) {
    scope.cancel();
    return true;
  }

  @Test
  void a_cancel_reaches_the_activity_that_runs_again() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    ActivityOptions options =
        ActivityOptions.newBuilder(Bench.options())
            .setCancellationType(ActivityCancellationType.TRY_CANCEL)
            .build();
    try (Bench bench =
        failing(Bench.fenced(() -> Workflow.newActivityStub(Exports.class, options).find("e-1")))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.exports.finding =
          () -> {
            running.countDown();
            return awaited(answered);
          };
      bench.ledger.then(row(State.UNKNOWN, 0));
      bench.signal();
      awaited(running);
      bench.running().cancel();

      assertThatThrownBy(() -> resultSoon(bench)).hasCauseInstanceOf(CanceledFailure.class);
      assertThat(has(bench, EventType.EVENT_TYPE_ACTIVITY_TASK_CANCEL_REQUESTED)).isTrue();
      answered.countDown();
    }
  }
}
