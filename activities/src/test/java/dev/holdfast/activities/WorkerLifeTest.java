package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
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
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Start, stop and release: what happens around the effects of a worker. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WorkerLifeTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  WorkerLifeTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  // case D5
  @Test
  void a_worker_that_shuts_down_renews_until_its_last_effect_is_done() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    WorkerFactory activities =
        bed.startApart(
            ledger.dataSource(),
            EffectActivities.of(
                request -> {
                  String answer = upstream.dispatch("x");
                  begun.countDown();
                  assertThat(goOn.await(60, SECONDS)).isTrue();
                  return answer;
                }));
    CompletableFuture<String> call =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, Call.once("d5", "x"));
    assertThat(begun.await(30, SECONDS)).isTrue();

    activities.shutdown();
    Instant atShutdown = rows.expiry("d5");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> rows.expiry("d5").isAfter(atShutdown.plus(WorkerBed.LEASE)));
    goOn.countDown();

    assertThat(call.get(30, SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void a_release_that_is_lost_costs_the_caller_nothing() {
    try (CountingProxy proxy = CountingProxy.before(ledger)) {
      bed.start(
          WorkerBed.plugin(ledger.dataSource(proxy)),
          EffectActivities.of(
              request -> {
                String answer = upstream.dispatch("x");
                proxy.disturbNext(
                    trip -> trip.mentions("commit_in_future"), new Disturbance.CutBeforeServer());
                return answer;
              }));

      assertThat(bed.workflow(CallWorkflow.class).call(Call.once("unreleased", "x")))
          .isEqualTo("did x");

      Awaitility.await().atMost(Duration.ofSeconds(30)).until(proxy::isSpent);
      assertThat(rows.released("unreleased")).isFalse();
      assertThat(bed.workflow(CallWorkflow.class).call(Call.once("unreleased", "x")))
          .isEqualTo("did x");
      assertThat(upstream.requests()).isEqualTo(1);
    }
  }

  @Test
  void the_lease_of_a_committed_receipt_is_released() {
    bed.start(
        WorkerBed.plugin(ledger.dataSource()), EffectActivities.of(r -> upstream.dispatch("x")));

    bed.workflow(CallWorkflow.class).call(Call.once("released", "x"));

    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> rows.released("released"));
  }

  // case E1
  @Test
  void an_activity_behind_a_jdk_proxy_is_protected() {
    EffectActivities target = EffectActivities.of(r -> upstream.dispatch("x"));
    Object proxied =
        Proxy.newProxyInstance(
            EffectActivities.class.getClassLoader(),
            new Class<?>[] {EffectActivities.class},
            (proxy, method, arguments) -> method.invoke(target, arguments));
    bed.start(WorkerBed.plugin(ledger.dataSource()), proxied);

    bed.workflow(CallWorkflow.class).call(Call.once("proxied", "x"));

    assertThat(rows.state("proxied")).isEqualTo("completed, 0 open");
  }

  @Test
  void where_nothing_was_checked_at_the_start_the_first_call_is_refused_before_the_claim() {
    WorkerFactoryOptions.Builder options = WorkerFactoryOptions.newBuilder();
    // the interceptors alone, as if the bridge had not linked
    WorkerBed.plugin(ledger.dataSource()).configureWorkerFactory(options);
    UnprotectableTest.ShortLived activity = key -> "never";
    bed.start(options.build(), new ShortLivedImpl(activity));

    ApplicationFailure failure =
        Failures.of(
            () -> bed.workflow(UntypedWorkflow.class).call("ShortLived", "unchecked", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.getOriginalMessage()).contains("keyHorizon");
    assertThat(rows.state("unchecked")).isEqualTo("none");
  }

  private record ShortLivedImpl(UnprotectableTest.ShortLived body)
      implements UnprotectableTest.ShortLived {
    @Override
    public String shortLived(String key) {
      return body.shortLived(key);
    }
  }
}
