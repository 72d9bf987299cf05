package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowFailedException;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Workflows whose activity fails while a scripted ledger tells how its operation stands. */
abstract class WaitBed {
  static String find() {
    return "found " + Bench.stub().find("e-1");
  }

  static Bench skipping(Supplier<String> script) {
    return failing(Bench.skippingTime(script));
  }

  static Bench failing(Bench bench) {
    bench.exports.finding =
        () -> {
          throw no();
        };
    return bench;
  }

  static ApplicationFailure no() {
    return ApplicationFailure.newNonRetryableFailure("no", "No");
  }

  /** Until the pause's timer runs. */
  static void waits(Bench bench) {
    await().until(() -> !bench.timers().isEmpty());
  }

  /** Sooner than the shortest pause ends by itself. */
  static String resultSoon(Bench bench) throws TimeoutException {
    return bench.running().getResult(40, TimeUnit.SECONDS, String.class);
  }

  static boolean has(Bench bench, EventType type) {
    return bench.history().getEvents().stream().anyMatch(event -> event.getEventType() == type);
  }

  static LookedUp value(Object value) {
    return ScriptedLedger.completed(
        LookedUp.ResultKind.VALUE,
        StoredPayload.ofBytes(
            DefaultDataConverter.newDefaultInstance()
                .toPayload(value)
                .orElseThrow()
                .toByteArray()));
  }

  static String awaited(CountDownLatch latch) {
    try {
      latch.await();
      return "answered";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  static ApplicationFailure failsWith(Bench bench, String type) {
    try {
      bench.run();
    } catch (WorkflowFailedException e) {
      assertThat(e.getCause()).isInstanceOf(ActivityFailure.class);
      Throwable cause = e.getCause().getCause();
      assertThat(cause).isInstanceOf(ApplicationFailure.class);
      ApplicationFailure failure = (ApplicationFailure) cause;
      assertThat(failure.getType()).isEqualTo(type);
      return failure;
    }
    throw new AssertionError("the workflow did not fail");
  }
}
