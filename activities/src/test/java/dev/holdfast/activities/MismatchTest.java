package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Another request under a known key is refused, whatever state its row is in. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MismatchTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  MismatchTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    goOn.countDown();
    bed.close();
  }

  private void start(EffectActivities.Effect effect) {
    bed.start(WorkerBed.plugin(ledger.dataSource()), EffectActivities.of(effect));
  }

  private void refusesAnother(String key) {
    int requests = upstream.requests();
    String before = rows.text(key);

    ApplicationFailure failure =
        Failures.of(
            () -> bed.workflow(CallWorkflow.class).call(Call.once(key, "another").attempts(3)));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.FINGERPRINT_MISMATCH);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getOriginalMessage()).doesNotContain(key);
    assertThat(rows.text(key)).isEqualTo(before);
    assertThat(upstream.requests()).isEqualTo(requests);
  }

  // case A3 i
  @Test
  void while_a_live_lease_is_held() throws Exception {
    start(
        request -> {
          String answer = upstream.dispatch("x");
          begun.countDown();
          assertThat(goOn.await(60, SECONDS)).isTrue();
          return answer;
        });
    CompletableFuture<String> holder =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("live", "one"));
    assertThat(begun.await(30, SECONDS)).isTrue();

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once("live", "another")));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.FINGERPRINT_MISMATCH);
    goOn.countDown();
    assertThat(holder.get(30, SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case A3 ii
  @Test
  void when_its_lease_is_over_and_its_attempt_open() {
    start(
        request -> {
          var unused = upstream.dispatch("x");
          throw ApplicationFailure.newNonRetryableFailure("gone", "Gone");
        });
    Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once("dead", "one")));
    assertThat(rows.state("dead")).isEqualTo("unknown, 1 open");

    refusesAnother("dead");
  }

  // case A3 iii, v
  @Test
  void once_it_is_completed_on_the_same_worker_and_on_another() {
    start(request -> upstream.dispatch("x"));
    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("done", "one"))).isEqualTo("did x");
    Awaitility.await().until(() -> rows.released("done"));
    refusesAnother("done");

    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        EffectActivities.of(request -> upstream.dispatch("x")));
    refusesAnother("done");
  }

  // case A3 iv
  @Test
  void once_it_failed_for_good() {
    start(
        request -> {
          var unused = upstream.dispatch(422, "x");
          throw new UpstreamRejectedException("no", 422);
        });
    Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once("failed", "one")));

    refusesAnother("failed");
  }
}
