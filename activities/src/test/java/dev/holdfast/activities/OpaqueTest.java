package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.EffectActivities.Effect;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.NoticeActivities;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** An upstream that honours no key and cannot be asked: one dispatch, then a person. */
class OpaqueTest extends MovedClockBed {
  private final AtomicInteger runs = new AtomicInteger();

  OpaqueTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private void start(Effect effect) {
    bed.startApart(ledger.dataSource(), NoticeActivities.of(effect));
  }

  private @Nullable String call(String key, int attempts) {
    return bed.workflow(UntypedWorkflow.class).call("Post", key, "x", attempts);
  }

  @Test
  void an_attempt_that_was_given_back_parks_nothing() {
    start(
        request -> {
          if (runs.incrementAndGet() == 1) {
            throw new IllegalStateException("before");
          }
          return upstream.dispatch("x");
        });

    assertThat(call("given back", 3)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void an_attempt_whose_worker_is_silent_parks_and_its_late_evidence_completes() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    start(
        request -> {
          String answer = upstream.dispatch("x");
          sent.countDown();
          assertThat(goOn.await(60, SECONDS)).isTrue();
          return answer;
        });
    CompletableFuture<String> silent =
        WorkflowClient.execute(bed.workflow(UntypedWorkflow.class)::call, "Post", "late", "x", 1);
    assertThat(sent.await(30, SECONDS)).isTrue();
    clock.shift(Duration.ofMinutes(5));

    ApplicationFailure failure = Failures.of(() -> call("late", 3));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(rows.parked("late")).isNotNull();
    goOn.countDown();

    assertThat(silent.get(60, SECONDS)).isEqualTo("did x");
    assertThat(rows.state("late")).isEqualTo("completed, 0 open");
    assertThat(rows.parked("late")).isNull();
    assertThat(call("late", 1)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void a_return_without_a_dispatch_is_never_run_again() {
    start(request -> "who knows " + runs.incrementAndGet());

    assertThat(Failures.of(() -> call("idle", 3)).getType())
        .isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
    assertThat(Failures.of(() -> call("idle", 3)).getType())
        .isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(runs).hasValue(1);
  }
}
