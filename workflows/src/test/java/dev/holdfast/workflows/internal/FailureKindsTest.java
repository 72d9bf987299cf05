package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.WhenUnknown;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ActivityFailure;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.TimeoutFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.CancellationScope;
import io.temporal.workflow.Promise;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of failure may hide an effect, and is settled; what it hid bears it as its cause. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailureKindsTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofSeconds(30);

  /** How a call fails. */
  private enum Kind {
    SCHEDULE_TO_START("TIMEOUT_TYPE_SCHEDULE_TO_START"),
    START_TO_CLOSE("TIMEOUT_TYPE_START_TO_CLOSE"),
    SCHEDULE_TO_CLOSE("TIMEOUT_TYPE_SCHEDULE_TO_CLOSE"),
    HEARTBEAT("TIMEOUT_TYPE_HEARTBEAT"),
    RETRY_STATE_TIMEOUT("No RETRY_STATE_TIMEOUT"),
    LAST_ATTEMPT("No RETRY_STATE_MAXIMUM_ATTEMPTS_REACHED"),
    NON_RETRYABLE("No RETRY_STATE_NON_RETRYABLE_FAILURE"),
    CANCELLED("CanceledFailure");

    private final String told;

    Kind(String told) {
      this.told = told;
    }

    ActivityOptions options() {
      ActivityOptions.Builder options =
          ActivityOptions.newBuilder()
              .setStartToCloseTimeout(LONG)
              .setRetryOptions(
                  RetryOptions.newBuilder()
                      .setInitialInterval(Duration.ofMillis(100))
                      .setMaximumAttempts(this == LAST_ATTEMPT ? 2 : 1)
                      .build());
      return switch (this) {
        case SCHEDULE_TO_START ->
            options.setTaskQueue("nobody's").setScheduleToStartTimeout(SHORT).build();
        case START_TO_CLOSE -> options.setStartToCloseTimeout(SHORT).build();
        case SCHEDULE_TO_CLOSE -> options.setScheduleToCloseTimeout(SHORT).build();
        case HEARTBEAT -> options.setHeartbeatTimeout(SHORT).build();
        case RETRY_STATE_TIMEOUT ->
            options
                .setScheduleToCloseTimeout(Duration.ofMillis(5_500))
                .setRetryOptions(RetryOptions.getDefaultInstance())
                .build();
        case LAST_ATTEMPT, NON_RETRYABLE, CANCELLED -> options.build();
      };
    }
  }

  /** One fenced activity. */
  @ActivityInterface
  public interface Failing {
    /** Fenced, keyed by the kind of its failure. */
    @Fenced(upstream = UpstreamContract.OPAQUE, whenUnknown = WhenUnknown.FAIL)
    String fail(@OperationKey String kind);
  }

  /** Fails as it is told. */
  private record FailingImpl(CountDownLatch over) implements Failing {
    @Override
    public String fail(String kind) {
      throw switch (Kind.valueOf(kind)) {
        case RETRY_STATE_TIMEOUT ->
            ApplicationFailure.newBuilder()
                .setMessage("no")
                .setType("No")
                .setNextRetryDelay(Duration.ofHours(1))
                .build();
        case LAST_ATTEMPT -> ApplicationFailure.newFailure("no", "No");
        case NON_RETRYABLE -> ApplicationFailure.newNonRetryableFailure("no", "No");
        case SCHEDULE_TO_START, START_TO_CLOSE, SCHEDULE_TO_CLOSE, HEARTBEAT, CANCELLED ->
            hung(over);
      };
    }

    private static IllegalStateException hung(CountDownLatch over) {
      try {
        return new IllegalStateException("over: " + over.await(30, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        return new IllegalStateException(e);
      }
    }
  }

  /** All kinds side by side: most of them wait. */
  private static String everyKind() {
    List<Promise<String>> calls = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      CancellationScope scope =
          Workflow.newCancellationScope(
              () -> calls.add(Async.function(() -> kind + ": " + told(kind))));
      scope.run();
      if (kind == Kind.CANCELLED) {
        // once it is scheduled
        Workflow.sleep(SHORT);
        scope.cancel();
      }
    }
    List<String> told = new ArrayList<>();
    calls.forEach(call -> told.add(call.get()));
    return String.join("\n", told);
  }

  private static String told(Kind kind) {
    try {
      return Workflow.newActivityStub(Failing.class, kind.options()).fail(kind.name());
    } catch (ActivityFailure e) {
      return switch (e.getCause()) {
        case TimeoutFailure late -> timer(kind, late.getTimeoutType().name());
        case ApplicationFailure failure -> failure.getType() + " " + e.getRetryState();
        case null, default -> String.valueOf(e.getCause()).replaceAll(".*\\.(\\w+):.*", "$1");
      };
    }
  }

  /** The server cuts an attempt's time to that of the call: either of the two may be first. */
  private static String timer(Kind kind, String fired) {
    return kind == Kind.SCHEDULE_TO_CLOSE && fired.equals(Kind.START_TO_CLOSE.told)
        ? kind.told
        : fired;
  }

  private static String lines(Function<Kind, String> told) {
    return String.join(
        "\n", Stream.of(Kind.values()).map(kind -> kind + ": " + told.apply(kind)).toList());
  }

  private static Bench bench(CountDownLatch over) {
    Bench bench = Bench.fenced(FailureKindsTest::everyKind);
    bench.worker.registerActivitiesImplementations(new FailingImpl(over));
    return bench;
  }

  @Test
  void without_an_effect_each_failure_is_the_one_that_it_was() {
    CountDownLatch over = new CountDownLatch(1);
    try (Bench bench = bench(over)) {
      assertThat(bench.run()).isEqualTo(lines(kind -> kind.told));
      assertThat(bench.ledger.queries)
          .extracting(query -> query.operation().key())
          .containsExactlyInAnyOrder(
              Stream.of(Kind.values()).map(Kind::name).toArray(String[]::new));
      over.countDown();
    }
  }

  @Test
  void with_an_effect_each_failure_is_overruled_by_what_is_stored() {
    CountDownLatch over = new CountDownLatch(1);
    try (Bench bench = bench(over)) {
      bench.ledger.then(
          ScriptedLedger.completed(
              LookedUp.ResultKind.VALUE,
              StoredPayload.ofBytes(
                  DefaultDataConverter.newDefaultInstance()
                      .toPayload("stored")
                      .orElseThrow()
                      .toByteArray())));

      assertThat(bench.run()).isEqualTo(lines(kind -> "stored"));
      over.countDown();
    }
  }

  static Stream<Hidden> hidden() {
    return Stream.of(
        new Hidden(ScriptedLedger.row(LookedUp.State.UNKNOWN, 1), HoldfastFailures.OUTCOME_UNKNOWN),
        new Hidden(ScriptedLedger.row(LookedUp.State.PARKED, 1), HoldfastFailures.OUTCOME_UNKNOWN),
        new Hidden(
            LookedUp.failed(new LookedUp.Failure("http-422", 422)),
            HoldfastFailures.UPSTREAM_REJECTED),
        new Hidden(
            ScriptedLedger.row(LookedUp.State.CONFLICT, 0), HoldfastFailures.OPERATION_CONFLICTED));
  }

  /** What the ledger knows, and what the workflow is told. */
  record Hidden(LookedUp row, String type) {}

  private static String chain() {
    try {
      return Workflow.newActivityStub(Failing.class, Kind.NON_RETRYABLE.options())
          .fail(Kind.NON_RETRYABLE.name());
    } catch (ActivityFailure e) {
      return e.getCause() instanceof ApplicationFailure told
              && told.getCause() instanceof ApplicationFailure original
          ? told.getType() + " because " + original.getType()
          : String.valueOf(e.getCause());
    }
  }

  @ParameterizedTest
  @MethodSource("hidden")
  void what_a_failure_hid_is_told_with_the_failure_as_its_cause(Hidden hidden) {
    try (Bench bench = Bench.fenced(FailureKindsTest::chain)) {
      bench.worker.registerActivitiesImplementations(new FailingImpl(new CountDownLatch(0)));
      bench.ledger.then(hidden.row());

      assertThat(bench.run()).isEqualTo(hidden.type() + " because No");
    }
  }

  @Test
  void a_lease_that_somebody_keeps_renewing_is_waited_for_an_hour_and_then_the_failure_stands() {
    try (Bench bench = Bench.skippingTime(FailureKindsTest::chain)) {
      bench.worker.registerActivitiesImplementations(new FailingImpl(new CountDownLatch(0)));
      bench.ledger.then(LookedUp.open(LookedUp.State.IN_PROGRESS, 1, 40_000));

      assertThat(bench.run()).contains("type='No'");
      assertThat(bench.timers().stream().reduce(Duration.ZERO, Duration::plus))
          .isBetween(Duration.ofHours(1), Duration.ofMinutes(61));
    }
  }
}
