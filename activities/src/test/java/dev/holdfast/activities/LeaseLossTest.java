package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A holder whose lease runs out while its effect is under way, by the ledger's clock. */
class LeaseLossTest extends MovedClockBed {
  private static final Duration FAR = Duration.ofMinutes(5);

  private final AtomicInteger attempts = new AtomicInteger();

  LeaseLossTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private void start(EffectActivities.Effect effect) {
    bed.startApart(ledger.dataSource(), EffectActivities.of(effect));
  }

  @Test
  void its_evidence_is_stored_and_it_completes_under_a_fresh_token() {
    start(
        request -> {
          String answer = upstream.dispatch("x");
          clock.shift(FAR);
          return answer;
        });

    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "late", "x", 1))
        .isEqualTo("did x");

    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("late")).isEqualTo("completed, 0 open");
    assertThat(rows.observations("late")).containsExactly("succeeded pending");
  }

  @Test
  void a_margin_that_is_too_thin_is_renewed_once_and_settled() {
    start(
        request -> {
          String answer = upstream.dispatch("x");
          clock.stopAt(rows.expiry("thin").minusMillis(20));
          return answer;
        });

    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "thin", "x", 1))
        .isEqualTo("did x");

    assertThat(rows.marginLeft("thin")).isGreaterThan(Duration.ofSeconds(1));
    assertThat(rows.observations("thin")).isEmpty();
  }

  // case F3
  @Test
  void it_hears_that_its_lease_is_lost_and_may_not_start_a_dispatch() {
    CountDownLatch lost = new CountDownLatch(1);
    start(
        request -> {
          if (attempts.incrementAndGet() > 1) {
            return upstream.dispatch("x");
          }
          FencedEffect effect = FencedEffect.current();
          effect.onLeaseLost(lost::countDown);
          assertThat(effect.leaseGoodFor(Duration.ofMillis(1))).isTrue();
          clock.shift(FAR);
          assertThat(lost.await(30, SECONDS)).isTrue();
          assertThat(effect.leaseGoodFor(Duration.ofMillis(1))).isFalse();
          return upstream.dispatch("too late");
        });

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "heard", "x", 1));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEASE_EXPIRED);
    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(upstream.requests()).isZero();
    assertThat(rows.state("heard")).endsWith("0 open");
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "heard", "x", 1))
        .isEqualTo("did x");
  }

  @Test
  void a_lease_that_ends_while_its_settlement_is_on_the_way_keeps_its_evidence() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (CountingProxy proxy = CountingProxy.before(ledger)) {
      bed.startApart(
          ledger.dataSource(proxy),
          EffectActivities.of(
              request -> {
                String answer = upstream.dispatch("x");
                proxy.disturbNext(
                    trip -> trip.mentions("lock_timeout"), new Disturbance.HoldRequest(over));
                return answer;
              }));
      CompletableFuture<String> result =
          WorkflowClient.execute(
              bed.workflow(UntypedWorkflow.class)::call, "Effect", "within", "x", 1);
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(proxy::isSpent);
      clock.shift(FAR);
      over.countDown();

      assertThat(result.get(60, SECONDS)).isEqualTo("did x");
    }
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.observations("within")).containsExactly("succeeded pending");
    assertThat(rows.state("within")).isEqualTo("completed, 0 open");
  }

  @Test
  void a_preempted_holder_leaves_its_evidence_to_the_rival() throws Exception {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch rival = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    start(
        request -> {
          boolean isFirst = attempts.incrementAndGet() == 1;
          String answer = upstream.dispatch("x");
          if (isFirst) {
            first.countDown();
            assertThat(rival.await(60, SECONDS)).isTrue();
          } else {
            rival.countDown();
            assertThat(goOn.await(60, SECONDS)).isTrue();
          }
          return answer;
        });
    CompletableFuture<String> preempted =
        WorkflowClient.execute(
            bed.workflow(UntypedWorkflow.class)::call, "Effect", "rivals", "x", 1);
    assertThat(first.await(30, SECONDS)).isTrue();
    clock.shift(FAR);
    CompletableFuture<String> second =
        WorkflowClient.execute(
            bed.workflow(CallWorkflow.class)::call, Call.once("rivals", "x").attempts(20));

    ApplicationFailure failure = Failures.of(() -> result(preempted));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEASE_PREEMPTED);
    goOn.countDown();

    assertThat(second.get(60, SECONDS)).isEqualTo("did x");
    assertThat(upstream.effects()).isEqualTo(1);
    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(rows.state("rivals")).isEqualTo("completed, 0 open");
  }

  private static String result(CompletableFuture<String> workflow) throws Exception {
    try {
      return workflow.get(60, SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }
}
