package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.Scope;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.workflow.Workflow;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Who cannot outlast one lease is told so once, and never fails for it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ImpatientOptionsTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final ImpatientOptions OPTIONS = new ImpatientOptions(Bench.TIMES);

  /** Two activities of the same options. */
  @ActivityInterface
  public interface Impatient {
    /** Fenced. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String hurry(@OperationKey String key);

    /** Not fenced. */
    String hurryUnfenced(String key);
  }

  /** The implementation. */
  public static final class ImpatientImpl implements Impatient {
    @Override
    public String hurry(String key) {
      return key;
    }

    @Override
    public String hurryUnfenced(String key) {
      return key;
    }
  }

  private static ActivityOptions.Builder options(int attempts) {
    return ActivityOptions.newBuilder()
        .setStartToCloseTimeout(Duration.ofHours(1))
        .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(attempts).build());
  }

  private static boolean warns(ActivityOptions options) {
    return OPTIONS.whyTooShort(options).isPresent();
  }

  @Test
  void one_attempt_waits_in_place_for_less_than_a_lease() {
    assertThat(OPTIONS.whyTooShort(options(1).build())).hasValue("its maximumAttempts is 1");
    assertThat(warns(options(2).build())).isFalse();
    assertThat(warns(options(0).build())).isFalse();
  }

  @Test
  void one_attempt_is_enough_where_it_waits_out_a_lease_in_place() {
    ImpatientOptions patient = new ImpatientOptions(new LeaseTimes(LEASE, LEASE));

    assertThat(patient.whyTooShort(options(1).build())).isEmpty();
    assertThat(patient.whyTooShort(options(1).setStartToCloseTimeout(LEASE).build())).isPresent();
  }

  @Test
  void a_call_that_ends_with_the_lease_sees_no_attempt_after_it() {
    assertThat(OPTIONS.whyTooShort(options(0).setScheduleToCloseTimeout(LEASE).build()))
        .hasValue("its schedule-to-close time-out is PT30S");
    assertThat(warns(options(0).setScheduleToCloseTimeout(LEASE.plusSeconds(1)).build())).isFalse();
  }

  @Test
  void options_that_say_nothing_last_for_ever() {
    assertThat(warns(ActivityOptions.newBuilder().build())).isFalse();
  }

  private static String hurryTwice() {
    Impatient stub = Workflow.newActivityStub(Impatient.class, options(1).build());
    return stub.hurry("a") + stub.hurry("b") + stub.hurryUnfenced("c");
  }

  private static Bench bench(LeaseTimes times) {
    Bench bench =
        Bench.fenced(
            ImpatientOptionsTest::hurryTwice,
            new FencedWorkflowInterceptor(new Scope("tenant"), List.of(), List::of, times));
    bench.worker.registerActivitiesImplementations(new ImpatientImpl());
    return bench;
  }

  private static String logged(Callable<?> body) throws Exception {
    PrintStream stderr = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      Object unused = body.call();
    } finally {
      System.setErr(stderr);
    }
    return logged.toString(StandardCharsets.UTF_8);
  }

  @Test
  void a_process_warns_once_of_an_activity_type_and_not_while_it_replays() throws Exception {
    WorkflowExecutionHistory history;
    try (Bench silent = bench(new LeaseTimes(Duration.ZERO, Duration.ZERO))) {
      assertThat(silent.run()).isEqualTo("abc");
      history = silent.history();
    }
    try (Bench bench = bench(Bench.TIMES)) {
      String replaying =
          logged(
              () -> {
                WorkflowReplayer.replayWorkflowExecution(history, bench.worker);
                return null;
              });
      String running = logged(bench::run);

      assertThat(replaying).doesNotContain("cannot outlast");
      assertThat(running)
          .containsOnlyOnce("cannot outlast")
          .contains("activity Hurry cannot outlast the lease", "PT30S", "its maximumAttempts is 1");
    }
    try (Bench another = bench(Bench.TIMES)) {
      assertThat(logged(another::run)).doesNotContain("cannot outlast");
    }
  }
}
