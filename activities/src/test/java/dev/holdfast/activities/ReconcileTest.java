package dev.holdfast.activities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.AskableShares;
import dev.holdfast.activities.bed.BoundedWorkflow;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Switch;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An attempt whose outcome nobody saw is asked about before anything is sent again. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReconcileTest {
  private static final byte[] SEEN = "seen".getBytes(UTF_8);

  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final LedgerClock clock;
  private final WorkerBed bed = new WorkerBed();
  private final AtomicInteger runs = new AtomicInteger();
  private final AtomicInteger questions = new AtomicInteger();

  ReconcileTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.clock = LedgerClock.of(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
    clock.close();
  }

  private AskableShares start(AskableShares shares) {
    bed.startApart(ledger.dataSource(), shares);
    return shares;
  }

  /** Its first run sends and dies of it; later ones succeed. */
  private @Nullable String dyingOnce(AskableShares shares, String request) {
    String answer = shares.send(request, null);
    if (runs.incrementAndGet() == 1) {
      throw ApplicationFailure.newNonRetryableFailure("after", "AuthorsOwn");
    }
    return answer;
  }

  private @Nullable String call(String key, int attempts) {
    return bed.workflow(UntypedWorkflow.class).call("Share", key, "x", attempts);
  }

  private ApplicationFailure fails(String key) {
    return Failures.of(() -> call(key, 1));
  }

  // case C15
  @Test
  void what_happened_is_completed_from_what_the_upstream_shows_and_nothing_is_sent() {
    AskableShares shares =
        start(
            AskableShares.of(this::dyingOnce, inquiry -> Reconciled.happened("found", 200, SEEN)));
    fails("found");
    assertThat(rows.state("found")).isEqualTo("unknown, 1 open");

    assertThat(call("found", 1)).isEqualTo("found");
    assertThat(call("found", 1)).isEqualTo("found");

    assertThat(shares.sent()).hasSize(1);
    assertThat(shares.asked()).hasSize(1);
    assertThat(rows.state("found")).isEqualTo("completed, 0 open");
  }

  @Test
  void it_is_told_which_operation_under_which_token_with_which_arguments() {
    AskableShares shares =
        start(
            AskableShares.of(
                this::dyingOnce,
                inquiry -> {
                  assertThat(inquiry.operation().text()).isEqualTo("Effect:told");
                  assertThat(inquiry.argument(0, String.class)).isEqualTo("told");
                  assertThat(inquiry.argument(1, String.class)).isEqualTo("x");
                  assertThat(inquiry.earlier()).hasSize(1);
                  assertThat(inquiry.earlier().getFirst().token().value())
                      .isLessThan(inquiry.token().value());
                  assertThat(inquiry.earlier().getFirst().lastReason()).isEqualTo("exception");
                  assertThat(inquiry.upstreamKey("upload")).isNotEqualTo(inquiry.upstreamKey());
                  return Reconciled.happened("found", 200, SEEN);
                }));
    fails("told");

    assertThat(call("told", 1)).isEqualTo("found");
    assertThat(shares.asked()).hasSize(1);
  }

  @Test
  void did_not_happen_past_the_horizon_dispatches_once() {
    AskableShares shares =
        start(AskableShares.of(this::dyingOnce, inquiry -> Reconciled.didNotHappen()));
    fails("past");
    clock.shift(AskableShares.HORIZON);

    assertThat(call("past", 1)).isEqualTo("did x");

    assertThat(shares.sent()).hasSize(2);
    assertThat(rows.state("past")).isEqualTo("completed, 0 open");
    assertThat(rows.observations("past")).contains("not_happened closed");
  }

  @Test
  void did_not_happen_before_the_horizon_of_an_older_attempt_dispatches_nothing() {
    AskableShares shares =
        start(AskableShares.of(this::dyingOnce, inquiry -> Reconciled.didNotHappen()));
    fails("early");

    ApplicationFailure failure = fails("early");

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("not_final");
    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(shares.sent()).hasSize(1);
    assertThat(rows.state("early")).isEqualTo("unknown, 1 open");
  }

  @Test
  void a_no_that_is_not_final_leaves_a_call_with_an_end_time_for_an_attempt_more() {
    AskableShares shares =
        start(
            AskableShares.of(
                this::dyingOnce,
                inquiry ->
                    questions.incrementAndGet() == 1
                        ? Reconciled.didNotHappen()
                        : Reconciled.happened("found", 200, SEEN)));
    fails("bounded");

    // no earlier attempt's horizon passes within that time
    assertThat(bed.workflow(BoundedWorkflow.class).call("Share", "bounded", "x", 5_000))
        .isEqualTo("found");

    assertThat(questions).hasValue(2);
    assertThat(shares.sent()).hasSize(1);
  }

  @Test
  void an_outage_when_the_answer_is_to_be_told_costs_no_attempt() {
    Switch database = new Switch(ledger.dataSource());
    AskableShares shares =
        AskableShares.of(
            this::dyingOnce,
            inquiry -> {
              database.turn(false);
              CompletableFuture.delayedExecutor(700, TimeUnit.MILLISECONDS)
                  .execute(() -> database.turn(true));
              return Reconciled.happened("found", 200, SEEN);
            });
    bed.startApart(database, shares);
    fails("outage");

    assertThat(call("outage", 1)).isEqualTo("found");
    assertThat(shares.asked()).hasSize(1);
    assertThat(rows.state("outage")).isEqualTo("completed, 0 open");
  }

  @Test
  void an_upstream_that_refuses_older_tokens_is_believed_at_once() {
    AskableShares shares =
        start(AskableShares.of(this::dyingOnce, inquiry -> Reconciled.didNotHappen()).fenced());
    fails("fenced");

    assertThat(call("fenced", 1)).isEqualTo("did x");

    assertThat(shares.sent()).hasSize(2);
  }

  private static Reconciled<String> failing(String how) throws Exception {
    return switch (how) {
      case "runtime" -> throw new IllegalStateException("asked");
      case "checked" -> throw new IOException("asked");
      case "error" -> throw new StackOverflowError("asked");
      case "forbidden" -> throw ApplicationFailure.newNonRetryableFailure("asked", "AuthorsOwn");
      case "interrupt" -> {
        Thread.currentThread().interrupt();
        throw new InterruptedException("asked");
      }
      default -> Reconciled.stillUnknown(how);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"runtime", "checked", "error", "forbidden", "interrupt", "not_shown_yet"})
  void a_question_that_fails_is_asked_again(String how) {
    AskableShares shares =
        start(
            AskableShares.of(
                this::dyingOnce,
                inquiry ->
                    questions.incrementAndGet() == 1
                        ? failing(how)
                        : Reconciled.happened("found", 200, SEEN)));
    fails(how);

    assertThat(call(how, 3)).isEqualTo("found");

    assertThat(questions).hasValue(2);
    assertThat(shares.sent()).hasSize(1);
    assertThat(rows.state(how)).isEqualTo("completed, 0 open");
  }

  @Test
  void an_effect_under_another_tag_parks() {
    AskableShares shares =
        start(AskableShares.of(this::dyingOnce, inquiry -> Reconciled.underAnotherTag()));
    fails("tagged");

    assertThat(fails("tagged").getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(fails("tagged").getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);

    assertThat(shares.asked()).hasSize(1);
    assertThat(shares.sent()).hasSize(1);
    assertThat(rows.state("tagged")).isEqualTo("unknown, 1 open");
  }

  @Test
  void a_return_without_a_dispatch_is_asked_about_and_never_run_again() {
    AskableShares shares =
        start(
            AskableShares.of(
                (self, request) -> "who knows " + runs.incrementAndGet(),
                inquiry -> Reconciled.happened("found", 200, SEEN)));

    ApplicationFailure failure = Failures.of(() -> call("idle", 3));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(rows.state("idle")).isEqualTo("unknown, 1 open");

    assertThat(call("idle", 1)).isEqualTo("found");
    assertThat(runs).hasValue(1);
    assertThat(shares.asked()).hasSize(1);
  }

  @Test
  void nothing_is_asked_where_nothing_is_open() {
    AskableShares shares =
        start(
            AskableShares.of(
                (self, request) -> {
                  if (runs.incrementAndGet() == 1) {
                    throw ApplicationFailure.newNonRetryableFailure("before", "AuthorsOwn");
                  }
                  return self.send(request, null);
                },
                inquiry -> Reconciled.stillUnknown("never")));
    fails("unsent");

    assertThat(call("unsent", 1)).isEqualTo("did x");
    assertThat(shares.asked()).isEmpty();
  }

  @Test
  void a_lease_that_is_lost_while_one_asks_dispatches_nothing() {
    AskableShares shares =
        start(
            AskableShares.of(
                this::dyingOnce,
                inquiry -> {
                  clock.shift(AskableShares.HORIZON.multipliedBy(2));
                  return Reconciled.didNotHappen();
                }));
    fails("lost");
    clock.shift(AskableShares.HORIZON);

    assertThat(fails("lost").getType()).isEqualTo(HoldfastFailures.LEASE_EXPIRED);

    assertThat(shares.sent()).hasSize(1);
    assertThat(rows.state("lost")).endsWith("1 open");
  }

  @Test
  void the_lease_of_a_question_is_renewed() {
    AskableShares shares =
        start(
            AskableShares.of(
                this::dyingOnce,
                inquiry -> {
                  Instant before = rows.expiry("patient");
                  await()
                      .atMost(Duration.ofSeconds(30))
                      .until(() -> rows.expiry("patient").isAfter(before.plus(WorkerBed.LEASE)));
                  return Reconciled.happened("found", 200, SEEN);
                }));
    fails("patient");

    assertThat(call("patient", 1)).isEqualTo("found");
    assertThat(shares.sent()).hasSize(1);
  }

  /** The first holder comes back late; meanwhile a second one was told that nothing happened. */
  private @Nullable Throwable lateWitness(String key, String first, String second)
      throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    start(
        AskableShares.of(
            (shares, request) -> {
              boolean isFirst = runs.incrementAndGet() == 1;
              String answer = shares.send(request, isFirst ? first : second);
              if (isFirst) {
                sent.countDown();
                assertThat(goOn.await(60, SECONDS)).isTrue();
              }
              return answer;
            },
            inquiry -> Reconciled.didNotHappen()));
    CompletableFuture<String> late =
        WorkflowClient.execute(bed.workflow(UntypedWorkflow.class)::call, "Share", key, "x", 1);
    assertThat(sent.await(30, SECONDS)).isTrue();
    clock.shift(AskableShares.HORIZON);
    assertThat(call(key, 20)).isEqualTo("did x");
    goOn.countDown();
    return late.handle((result, failure) -> failure).get(60, SECONDS);
  }

  @Test
  void two_attempts_that_the_upstream_gave_one_id_are_one_effect() throws Exception {
    assertThat(lateWitness("same id", "share-1", "share-1")).isNull();

    assertThat(rows.state("same id")).startsWith("completed");
  }

  @Test
  void a_second_effect_that_comes_late_is_a_conflict_and_is_told() throws Exception {
    assertThat(lateWitness("two ids", "share-1", "share-2")).isNotNull();

    assertThat(rows.state("two ids")).startsWith("conflict");
    assertThat(fails("two ids").getType()).isEqualTo(HoldfastFailures.OPERATION_CONFLICTED);
  }

  @Test
  void a_witness_of_the_effect_that_was_found_is_the_same_effect() throws Exception {
    CountDownLatch sent = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    start(
        AskableShares.of(
            (shares, request) -> {
              String answer = shares.send(request, null);
              sent.countDown();
              assertThat(goOn.await(60, SECONDS)).isTrue();
              return answer;
            },
            inquiry -> Reconciled.happened("found", 200, SEEN)));
    CompletableFuture<String> late =
        WorkflowClient.execute(
            bed.workflow(UntypedWorkflow.class)::call, "Share", "witness", "x", 1);
    assertThat(sent.await(30, SECONDS)).isTrue();
    clock.shift(Duration.ofMinutes(1));
    assertThat(call("witness", 20)).isEqualTo("found");
    goOn.countDown();

    // another's receipt for the same effect: its result is everybody's
    assertThat(late.get(60, SECONDS)).isEqualTo("found");
    assertThat(rows.state("witness")).isEqualTo("completed, 0 open");
  }
}
