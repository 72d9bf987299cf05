package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** One operation, called from many sides, dispatched by whichever thread. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ManyCallersTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  ManyCallersTest(EmbeddedLedger ledger) {
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

  private CompletableFuture<String> begin(String key, int attempts) {
    return WorkflowClient.execute(
        bed.workflow(UntypedWorkflow.class)::call, "Effect", key, "x", attempts);
  }

  private String failureOf(String key, String request) {
    return Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", key, request, 1))
        .getType();
  }

  // case C5
  @Test
  void a_caller_that_is_refused_takes_nothing_from_the_one_that_holds_the_lease() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    start(
        request -> {
          String answer = upstream.dispatch("x");
          begun.countDown();
          assertThat(goOn.await(60, SECONDS)).isTrue();
          return answer;
        });
    CompletableFuture<String> holder = begin("c5", 1);
    assertThat(begun.await(30, SECONDS)).isTrue();

    assertThat(failureOf("c5", "x")).isEqualTo(HoldfastFailures.OPERATION_BUSY);
    assertThat(failureOf("c5", "another amount")).isEqualTo(HoldfastFailures.FINGERPRINT_MISMATCH);
    assertThat(failureOf("c5", "x")).isEqualTo(HoldfastFailures.OPERATION_BUSY);
    goOn.countDown();

    assertThat(holder.get(60, SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("c5")).isEqualTo("completed, 0 open");
  }

  // case C9
  @Test
  void thirty_two_starts_at_once_are_one_effect() throws Exception {
    start(request -> upstream.dispatch("x"));
    List<CompletableFuture<String>> starts = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      starts.add(begin("c9", 100));
    }

    for (CompletableFuture<String> one : starts) {
      assertThat(one.get(120, SECONDS)).isEqualTo("did x");
    }
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("c9")).isEqualTo("completed, 0 open");
  }

  // case F15
  @Test
  void an_effect_that_is_handed_to_another_thread_is_settled_on_the_activitys() throws Exception {
    start(
        request -> {
          FencedEffect effect = FencedEffect.current();
          try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return threads
                .submit(
                    () ->
                        effect.dispatch(
                            key -> upstream.receive(key, new Upstream.Answer(200, "handed over")),
                            Evidence.of(Upstream.Answer::status, answer -> new byte[] {1})))
                .get(30, SECONDS)
                .body();
          }
        });

    assertThat(begin("f15", 1).get(60, SECONDS)).isEqualTo("handed over");
    assertThat(rows.state("f15")).isEqualTo("completed, 0 open");
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
