package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.AskableShares;
import dev.holdfast.activities.bed.Blow;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.NoticeActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An activity breaks off in every way, before and after its dispatch, where the upstream honours no
 * key: its count never passes one unless somebody found out that nothing had happened.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EveryExceptionTest {
  private static final byte[] SEEN = {1, 2, 3};

  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicInteger runs = new AtomicInteger();

  EveryExceptionTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private <T> T start(T activity) {
    bed.startApart(ledger.dataSource(), activity);
    return activity;
  }

  private @Nullable String call(String type, String key) {
    return bed.workflow(UntypedWorkflow.class).call(type, key, "x", 1);
  }

  private void breaksOff(String type, String key, String state) {
    assertThat(catchThrowable(() -> call(type, key))).as("the first attempt fails").isNotNull();
    assertThat(rows.state(key)).isEqualTo(state);
  }

  private void strikeOnce(Blow blow) throws Exception {
    if (runs.incrementAndGet() == 1) {
      blow.strike();
    }
  }

  private AskableShares.Effect sendingThenStruck(Blow blow) {
    return (shares, request) -> {
      String answer = shares.send(request, null);
      strikeOnce(blow);
      return answer;
    };
  }

  // case D1
  @ParameterizedTest
  @EnumSource(Blow.class)
  void after_the_dispatch_an_upstream_that_can_be_asked_is_asked_and_nothing_is_sent(Blow blow) {
    String key = "asked " + blow;
    AskableShares shares =
        start(
            AskableShares.of(
                sendingThenStruck(blow), inquiry -> Reconciled.happened("found", 200, SEEN)));
    breaksOff("Share", key, "unknown, 1 open");

    assertThat(call("Share", key)).isEqualTo("found");

    assertThat(shares.sent()).hasSize(1);
    assertThat(shares.asked()).hasSize(1);
    assertThat(rows.state(key)).isEqualTo("completed, 0 open");
  }

  // case D1
  @ParameterizedTest
  @EnumSource(Blow.class)
  void after_the_dispatch_nothing_is_sent_while_the_question_has_no_answer(Blow blow) {
    String key = "unanswered " + blow;
    AskableShares shares =
        start(
            AskableShares.of(
                sendingThenStruck(blow), inquiry -> Reconciled.stillUnknown("not_shown_yet")));
    breaksOff("Share", key, "unknown, 1 open");

    for (int again = 1; again <= 2; again++) {
      assertThat(Failures.of(() -> call("Share", key)).getType())
          .isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
      assertThat(shares.asked()).hasSize(again);
    }

    assertThat(shares.sent()).hasSize(1);
    assertThat(rows.state(key)).isEqualTo("unknown, 1 open");
  }

  // case D1
  @ParameterizedTest
  @EnumSource(Blow.class)
  void after_the_dispatch_only_a_final_no_lets_one_more_request_out(Blow blow) {
    String key = "denied " + blow;
    AskableShares shares =
        start(
            AskableShares.of(sendingThenStruck(blow), inquiry -> Reconciled.didNotHappen())
                .fenced());
    breaksOff("Share", key, "unknown, 1 open");

    assertThat(call("Share", key)).isEqualTo("did x");

    assertThat(shares.asked()).hasSize(1);
    assertThat(shares.sent()).hasSize(2);
  }

  // case D1
  @ParameterizedTest
  @EnumSource(Blow.class)
  void before_the_dispatch_nobody_is_asked_and_the_next_attempt_sends(Blow blow) {
    String key = "before asked " + blow;
    AskableShares shares =
        start(
            AskableShares.of(
                (self, request) -> {
                  strikeOnce(blow);
                  return self.send(request, null);
                },
                inquiry -> Reconciled.stillUnknown("never")));
    breaksOff("Share", key, "unknown, 0 open");

    assertThat(call("Share", key)).isEqualTo("did x");

    assertThat(shares.asked()).isEmpty();
    assertThat(shares.sent()).hasSize(1);
  }

  // case D1
  @ParameterizedTest
  @EnumSource(Blow.class)
  void after_the_dispatch_an_upstream_that_nobody_can_ask_waits_for_a_person(Blow blow) {
    String key = "opaque " + blow;
    start(
        NoticeActivities.of(
            request -> {
              String answer = upstream.dispatch(String.valueOf(request));
              strikeOnce(blow);
              return answer;
            }));
    breaksOff("Post", key, "unknown, 1 open");

    for (int again = 1; again <= 2; again++) {
      assertThat(Failures.of(() -> call("Post", key)).getType())
          .isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    }

    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state(key)).isEqualTo("unknown, 1 open");
    assertThat(rows.parked(key)).isEqualTo("open_attempt");
  }

  // case D1
  @ParameterizedTest
  @EnumSource(Blow.class)
  void before_the_dispatch_nobody_is_waited_for(Blow blow) {
    String key = "before opaque " + blow;
    start(
        NoticeActivities.of(
            request -> {
              strikeOnce(blow);
              return upstream.dispatch(String.valueOf(request));
            }));
    breaksOff("Post", key, "unknown, 0 open");

    assertThat(call("Post", key)).isEqualTo("did x");

    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.parked(key)).isNull();
  }
}
