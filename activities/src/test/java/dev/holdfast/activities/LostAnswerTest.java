package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Switch;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.RoundTrip;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The ledger's answer to one verb gets lost on the way to the worker. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LostAnswerTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final CountingProxy proxy;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicInteger runs = new AtomicInteger();

  LostAnswerTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.proxy = CountingProxy.before(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
    proxy.close();
  }

  private static boolean isClaim(RoundTrip trip) {
    return trip.mentions("\"claimed\" as");
  }

  private static boolean isSettlement(RoundTrip trip) {
    return trip.mentions("insert into \"holdfast\".\"receipt\"");
  }

  static Stream<Disturbance> losses() {
    return Stream.of(
        new Disturbance.CutBeforeServer(),
        new Disturbance.CutBeforeAnswer(),
        new Disturbance.SwallowAnswer());
  }

  private void start(EffectActivities.Effect effect) {
    bed.startApart(ledger.dataSource(proxy), EffectActivities.of(effect));
  }

  private @Nullable String call(String key) {
    return bed.workflow(UntypedWorkflow.class).call("Effect", key, "x", 1);
  }

  private CompletableFuture<String> begin(String key) {
    return WorkflowClient.execute(bed.workflow(UntypedWorkflow.class)::call, "Effect", key, "x", 1);
  }

  @ParameterizedTest
  @MethodSource("losses")
  void of_a_claim_costs_no_attempt(Disturbance loss) {
    String key = "claim " + loss.getClass().getSimpleName();
    start(request -> upstream.dispatch("x"));
    proxy.disturbNext(LostAnswerTest::isClaim, loss);

    assertThat(call(key)).isEqualTo("did x");

    assertThat(proxy.isSpent()).isTrue();
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state(key)).isEqualTo("completed, 0 open");
  }

  // case I5
  // case I7
  @ParameterizedTest
  @MethodSource("losses")
  void of_a_settlement_is_found_again(Disturbance loss) {
    String key = "settle " + loss.getClass().getSimpleName();
    start(
        request -> {
          String answer = upstream.dispatch("x");
          proxy.disturbNext(LostAnswerTest::isSettlement, loss);
          return answer;
        });

    assertThat(call(key)).isEqualTo("did x");

    assertThat(proxy.isSpent()).isTrue();
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state(key)).isEqualTo("completed, 0 open");
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> rows.released(key));
  }

  @ParameterizedTest
  @MethodSource("losses")
  void of_a_failure_is_told_again(Disturbance loss) {
    String key = "failure " + loss.getClass().getSimpleName();
    start(
        request -> {
          proxy.disturbNext(trip -> trip.mentions("transaction_isolation"), loss);
          return upstream.dispatch(422, "x");
        });

    ApplicationFailure failure = Failures.of(() -> call(key));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_REJECTED);
    assertThat(proxy.isSpent()).isTrue();
    assertThat(rows.state(key)).isEqualTo("failed, 0 open");
  }

  @ParameterizedTest
  @MethodSource("losses")
  void of_an_abandon_leaves_nothing_open(Disturbance loss) {
    String key = "abandon " + loss.getClass().getSimpleName();
    start(
        request -> {
          if (runs.incrementAndGet() == 1) {
            proxy.disturbNext(trip -> trip.mentions("\"abandoned\" as"), loss);
            throw ApplicationFailure.newNonRetryableFailure("before", "AuthorsOwn");
          }
          return upstream.dispatch("x");
        });

    assertThat(Failures.of(() -> call(key)).getType()).isEqualTo("AuthorsOwn");

    assertThat(proxy.isSpent()).isTrue();
    assertThat(rows.state(key)).isEqualTo("unknown, 0 open");
    assertThat(call(key)).isEqualTo("did x");
  }

  @Test
  void an_outage_shorter_than_the_lease_costs_no_attempt() {
    Switch database = new Switch(ledger.dataSource());
    bed.startApart(
        database,
        EffectActivities.of(
            request -> {
              String answer = upstream.dispatch("x");
              database.turn(false);
              CompletableFuture.delayedExecutor(700, TimeUnit.MILLISECONDS)
                  .execute(() -> database.turn(true));
              return answer;
            }));

    assertThat(call("outage")).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case I5
  @Test
  void two_hundred_lost_answers_are_two_hundred_receipts_of_one_request_each() throws Exception {
    start(
        request -> {
          String answer = upstream.dispatch("x");
          proxy.disturbNext(LostAnswerTest::isSettlement, new Disturbance.CutBeforeAnswer());
          return answer;
        });
    int before = rows.receipts();

    // each orders before it settles, and settles once: no settlement finds all orders taken
    for (int batch = 0; batch < 20; batch++) {
      String name = "batch " + batch + " call ";
      List<CompletableFuture<String>> calls =
          IntStream.range(0, 10).mapToObj(call -> begin(name + call)).toList();
      for (CompletableFuture<String> call : calls) {
        assertThat(call.get(1, TimeUnit.MINUTES)).isEqualTo("did x");
      }
    }

    assertThat(proxy.isSpent()).isTrue();
    assertThat(upstream.requests()).isEqualTo(200);
    assertThat(rows.receipts() - before).isEqualTo(200);
  }
}
