package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.activities.bed.AskableShares;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.NoticeActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.WorkflowClient;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody interrupts the activity's thread while the barrier works on it. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InterruptTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final CountingProxy proxy;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
  private final CountDownLatch answer = new CountDownLatch(1);

  InterruptTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.proxy = CountingProxy.before(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
    proxy.close();
  }

  /** Outside of the barrier: sees the thread before the claim. */
  private WorkerInterceptor watching() {
    return new WorkerInterceptorBase() {
      @Override
      public ActivityInboundCallsInterceptor interceptActivity(
          ActivityInboundCallsInterceptor next) {
        return new ActivityInboundCallsInterceptorBase(next) {
          @Override
          public void init(ActivityExecutionContext context) {
            thread.set(Thread.currentThread());
            super.init(context);
          }
        };
      }
    };
  }

  private void start(EffectActivities.Effect effect) {
    start(ledger.dataSource(proxy), EffectActivities.of(effect));
  }

  private void start(DataSource database, Object activities) {
    bed.start(WorkerBed.plugin(ledger.dataSource()));
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(database))
                .setWorkerInterceptors(watching())
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerActivitiesImplementations(activities);
    factory.start();
  }

  private CompletableFuture<String> call(String key) {
    return WorkflowClient.execute(
        bed.workflow(CallWorkflow.class)::call,
        Call.once(key, "x").startToClose(Duration.ofSeconds(8)).attempts(3));
  }

  private void holdNextAnswer() {
    proxy.disturbNext(trip -> trip.mentions("lock_timeout"), new Disturbance.HoldAnswer(answer));
  }

  /** Once the answer is held up the thread waits for it. */
  private void interruptTheWaiting() {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(proxy::isSpent);
    Thread waiting = thread.get();
    assertThat(waiting).isNotNull();
    waiting.interrupt();
    answer.countDown();
  }

  // case D3
  @Test
  void in_the_claim_it_costs_nothing() throws Exception {
    start(request -> upstream.dispatch("x"));
    holdNextAnswer();

    CompletableFuture<String> result = call("in claim");
    interruptTheWaiting();

    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("did x");
    assertThat(upstream.effects()).isEqualTo(1);
    assertThat(rows.state("in claim")).isEqualTo("completed, 0 open");
  }

  // case D3
  @Test
  void in_the_settlement_it_costs_nothing() throws Exception {
    start(
        request -> {
          String done = upstream.dispatch("x");
          holdNextAnswer();
          return done;
        });

    CompletableFuture<String> result = call("in settlement");
    interruptTheWaiting();

    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("in settlement")).isEqualTo("completed, 0 open");
  }

  private boolean waitsForConnection() {
    Thread waiting = thread.get();
    return waiting != null
        && Arrays.stream(waiting.getStackTrace())
            .anyMatch(frame -> frame.getClassName().startsWith("com.zaxxer.hikari.pool"));
  }

  // case D3
  @Test
  void while_the_claim_waits_for_a_connection_nothing_is_sent_and_the_next_attempt_goes_on()
      throws Exception {
    HikariDataSource pool = ledger.pool(1);
    start(pool, EffectActivities.of(request -> upstream.dispatch("x")));
    CompletableFuture<String> result;
    try (Connection only = pool.getConnection()) {
      assertThat(only.isClosed()).isFalse();
      result = call("no claim");
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(this::waitsForConnection);
      Thread waiting = Objects.requireNonNull(thread.get());
      waiting.interrupt();
      Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !waiting.isInterrupted());
      assertThat(rows.state("no claim")).isEqualTo("none");
    }

    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("no claim")).isEqualTo("completed, 0 open");
  }

  // case D3
  @Test
  void while_the_settlement_waits_for_a_connection_it_costs_nothing() throws Exception {
    HikariDataSource pool = ledger.pool(1);
    AtomicReference<@Nullable Connection> only = new AtomicReference<>();
    CountDownLatch taken = new CountDownLatch(1);
    start(
        pool,
        NoticeActivities.of(
            request -> {
              String done = upstream.dispatch("x");
              only.set(pool.getConnection());
              taken.countDown();
              return done;
            }));

    CompletableFuture<String> result =
        WorkflowClient.execute(
            bed.workflow(UntypedWorkflow.class)::call, "Post", "no connection", "x", 3);
    assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
    interruptInThePool();
    Objects.requireNonNull(only.get()).close();

    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("no connection")).isEqualTo("completed, 0 open");
  }

  /** How the activity ends without a receipt; both ends free its lease. */
  enum Throwing {
    BEFORE_THE_DISPATCH("unknown, 0 open"),
    AFTER_THE_DISPATCH("unknown, 1 open");

    private final String state;

    Throwing(String state) {
      this.state = state;
    }
  }

  // case D3
  @ParameterizedTest
  @EnumSource
  void while_the_end_of_an_attempt_waits_for_a_connection_its_lease_still_ends(Throwing throwing)
      throws Exception {
    HikariDataSource pool = ledger.pool(1);
    AtomicReference<@Nullable Connection> only = new AtomicReference<>();
    CountDownLatch taken = new CountDownLatch(1);
    start(
        pool,
        EffectActivities.of(
            request -> {
              if (throwing == Throwing.AFTER_THE_DISPATCH) {
                var unused = upstream.dispatch("x");
              }
              only.set(pool.getConnection());
              taken.countDown();
              throw new IllegalStateException("broken off");
            }));

    CompletableFuture<String> result =
        WorkflowClient.execute(
            bed.workflow(UntypedWorkflow.class)::call, "Effect", throwing.name(), "x", 1);
    assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
    interruptInThePool();
    Objects.requireNonNull(only.get()).close();

    assertThatThrownBy(() -> result.get(60, TimeUnit.SECONDS)).isNotNull();
    assertThat(rows.state(throwing.name())).isEqualTo(throwing.state);
    assertThat(
            rows.released(throwing.name()) || rows.expiry(throwing.name()).isBefore(Instant.now()))
        .as("its lease is over")
        .isTrue();
  }

  // case D3
  @Test
  void while_what_was_found_out_waits_for_a_connection_it_costs_nothing() throws Exception {
    HikariDataSource pool = ledger.pool(1);
    AtomicReference<@Nullable Connection> only = new AtomicReference<>();
    CountDownLatch taken = new CountDownLatch(1);
    AskableShares shares =
        AskableShares.of(
            (upstreams, request) -> {
              var unused = upstreams.send(request, null);
              throw ApplicationFailure.newNonRetryableFailure("the answer was lost", "Lost");
            },
            inquiry -> {
              only.set(pool.getConnection());
              taken.countDown();
              return Reconciled.happened("found", 200, new byte[] {1});
            });
    start(pool, shares);
    ApplicationFailure lost =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Share", "asked", "x", 1));
    assertThat(lost.getType()).isEqualTo("Lost");

    CompletableFuture<String> result =
        WorkflowClient.execute(bed.workflow(UntypedWorkflow.class)::call, "Share", "asked", "x", 1);
    assertThat(taken.await(30, TimeUnit.SECONDS)).isTrue();
    interruptInThePool();
    Objects.requireNonNull(only.get()).close();

    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("found");
    assertThat(shares.sent()).hasSize(1);
    assertThat(shares.asked()).hasSize(1);
  }

  private void interruptInThePool() {
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(this::waitsForConnection);
    Thread waiting = Objects.requireNonNull(thread.get());
    waiting.interrupt();
    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !waiting.isInterrupted());
  }

  // case D3
  @Test
  void a_thread_that_is_interrupted_begins_no_effect() throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    start(
        ledger.dataSource(),
        NoticeActivities.of(
            request -> {
              if (attempts.incrementAndGet() == 1) {
                Thread.currentThread().interrupt();
              }
              return upstream.dispatch("x");
            }));

    assertThat(bed.workflow(UntypedWorkflow.class).call("Post", "not begun", "x", 3))
        .isEqualTo("did x");
    assertThat(attempts).as("OPAQUE would park if anything might have left").hasValue(2);
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case D3
  @Test
  void in_the_effect_the_outcome_is_unknown_and_the_same_key_is_sent_again() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    start(
        request -> {
          String done = upstream.dispatch("x");
          if (upstream.requests() == 1) {
            sent.countDown();
            assertThat(new CountDownLatch(1).await(1, TimeUnit.MINUTES)).isTrue();
          }
          return done;
        });

    CompletableFuture<String> result = call("in effect");
    assertThat(sent.await(30, TimeUnit.SECONDS)).isTrue();
    Thread waiting = thread.get();
    assertThat(waiting).isNotNull();
    waiting.interrupt();

    assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(upstream.effects()).isEqualTo(1);
  }
}
