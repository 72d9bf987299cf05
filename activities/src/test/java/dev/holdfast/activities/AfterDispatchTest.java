package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an exception, an error or an interrupt leaves, before and after the dispatch. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AfterDispatchTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicInteger attempts = new AtomicInteger();

  AfterDispatchTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void start(EffectActivities.Effect effect) {
    bed.startApart(ledger.dataSource(), EffectActivities.of(effect));
  }

  private static void fail(String how) throws Exception {
    switch (how) {
      case "runtime" -> throw new IllegalStateException("after");
      case "checked" -> throw new IOException("after");
      case "stack overflow" -> throw new StackOverflowError("after");
      case "out of memory" -> throw new OutOfMemoryError("after");
      default -> throw ApplicationFailure.newNonRetryableFailure("after", "AuthorsOwn");
    }
  }

  // case D1
  @ParameterizedTest
  @ValueSource(strings = {"runtime", "checked", "stack overflow", "out of memory"})
  void an_exception_after_the_dispatch_leaves_the_attempt_open_and_the_retry_sends_the_same_key(
      String how) {
    start(
        request -> {
          String answer = upstream.dispatch(String.valueOf(request));
          if (attempts.incrementAndGet() == 1) {
            assertThat(rows.state("d1 " + how)).isEqualTo("in_progress, 1 open");
            fail(how);
          }
          assertThat(rows.state("d1 " + how)).isEqualTo("in_progress, 2 open");
          return answer;
        });

    String result = bed.workflow(CallWorkflow.class).call(Call.once("d1 " + how, "x").attempts(3));

    assertThat(result).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(upstream.effects()).isEqualTo(1);
  }

  // case D1
  @Test
  void a_failure_that_the_author_forbids_to_retry_leaves_the_outcome_unknown() {
    start(
        request -> {
          var unused = upstream.dispatch("x");
          fail("not retryable");
          return null;
        });

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "forbidden", "x", 3));

    assertThat(failure.getType()).isEqualTo("AuthorsOwn");
    assertThat(rows.state("forbidden")).isEqualTo("unknown, 1 open");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case D1
  @Test
  void the_workflow_is_told_that_the_outcome_is_unknown() {
    start(
        request -> {
          var unused = upstream.dispatch("x");
          fail("not retryable");
          return null;
        });

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once("untold", "x")));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
  }

  // case D1
  @ParameterizedTest
  @ValueSource(strings = {"runtime", "checked", "stack overflow", "out of memory"})
  void an_exception_before_the_dispatch_gives_the_attempt_back(String how) {
    start(
        request -> {
          if (attempts.incrementAndGet() == 1) {
            fail(how);
          }
          assertThat(rows.state("before " + how)).isEqualTo("in_progress, 1 open");
          return upstream.dispatch("x");
        });

    String result =
        bed.workflow(CallWorkflow.class).call(Call.once("before " + how, "x").attempts(3));

    assertThat(result).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case D1
  @Test
  void a_failure_before_the_dispatch_that_the_author_forbids_to_retry_leaves_nothing_open() {
    start(
        request -> {
          fail("not retryable");
          return null;
        });

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once("idle no", "x")));

    assertThat(failure.getType()).isEqualTo("AuthorsOwn");
    assertThat(rows.state("idle no")).isEqualTo("unknown, 0 open");
  }

  @Test
  void a_method_that_returns_without_a_dispatch_is_told_the_cures() {
    start(request -> "nothing happened");

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "idle", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getOriginalMessage())
        .contains("send", "dispatch", "inLedgerTransaction", "RESULT");
    assertThat(rows.state("idle")).isEqualTo("unknown, 1 open");
  }

  @Test
  void a_definite_no_is_stored_and_replayed() {
    start(
        request -> {
          var unused = upstream.dispatch(422, "x");
          throw new UpstreamRejectedException("no_such_document", 422);
        });

    ApplicationFailure first =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "rejected", "x", 3));
    ApplicationFailure second =
        Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once("rejected", "x")));

    assertThat(first.getType()).isEqualTo(HoldfastFailures.UPSTREAM_REJECTED);
    assertThat(second.getType()).isEqualTo(HoldfastFailures.UPSTREAM_REJECTED);
    assertThat(rows.state("rejected")).startsWith("failed");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void an_upstream_that_did_nothing_this_time_is_asked_again() {
    start(
        request -> {
          if (attempts.incrementAndGet() == 1) {
            var unused = upstream.dispatch(429, "x");
            throw new UpstreamRefusedException(429);
          }
          assertThat(rows.state("refused")).isEqualTo("in_progress, 1 open");
          return upstream.dispatch("x");
        });

    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("refused", "x").attempts(3)))
        .isEqualTo("did x");
  }

  // case D3
  @Test
  void an_interrupt_flag_left_by_the_effect_costs_nothing() {
    start(
        request -> {
          String answer = upstream.dispatch("x");
          Thread.currentThread().interrupt();
          return answer;
        });

    String result =
        bed.workflow(CallWorkflow.class)
            .call(Call.once("interrupted", "x").startToClose(Duration.ofSeconds(5)).attempts(3));

    assertThat(result).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("interrupted")).isEqualTo("completed, 0 open");
  }

  // case D3
  @Test
  void a_failure_thrown_with_the_flag_set_arrives() {
    start(
        request -> {
          attempts.incrementAndGet();
          Thread.currentThread().interrupt();
          throw ApplicationFailure.newNonRetryableFailure("before", "AuthorsOwn");
        });

    ApplicationFailure failure =
        Failures.of(
            () ->
                bed.workflow(CallWorkflow.class)
                    .call(
                        Call.once("flagged", "x").startToClose(Duration.ofSeconds(5)).attempts(3)));

    assertThat(failure.getType()).isEqualTo("AuthorsOwn");
    assertThat(attempts).hasValue(1);
    assertThat(rows.state("flagged")).isEqualTo("unknown, 0 open");
  }
}
