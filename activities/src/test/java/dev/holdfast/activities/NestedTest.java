package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.NoticeActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Fenced methods that are called as plain Java, so that no interceptor sees them. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NestedTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  /** A fenced activity that is also used as a bean. */
  private final NoticeActivities notices = NoticeActivities.of(r -> upstream.dispatch("notice"));

  NestedTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private ApplicationFailure refusal(String key) {
    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", key, "x", 3));
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("nested");
    assertThat(failure.getOriginalMessage())
        .contains("EffectActivities.effect")
        .contains("NoticeActivities.post");
    return failure;
  }

  @Test
  void a_fenced_method_called_inside_another_one_is_refused_by_name() {
    bed.startApart(ledger.dataSource(), EffectActivities.of(r -> notices.post("inner", "x")));

    ApplicationFailure failure = refusal("outer");

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(upstream.requests()).isZero();
    assertThat(rows.state("outer")).isEqualTo("unknown, 0 open");
    assertThat(rows.state("inner")).isEqualTo("none");
  }

  @Test
  void through_a_proxy_too() {
    Object proxied =
        Proxy.newProxyInstance(
            NoticeActivities.class.getClassLoader(),
            new Class<?>[] {NoticeActivities.class},
            (proxy, method, arguments) -> {
              try {
                return method.invoke(notices, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(r -> ((NoticeActivities) proxied).post("inner", "x")));

    assertThat(refusal("proxied").getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(upstream.requests()).isZero();
  }

  @Test
  void after_the_outer_dispatch_nobody_says_that_nothing_was_done() {
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(
            request -> {
              var unused = upstream.dispatch("outer");
              return notices.post("inner", "x");
            }));

    ApplicationFailure failure = refusal("dispatched");

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("dispatched")).isEqualTo("unknown, 1 open");
  }

  /** Stands for the same method. */
  private record Decorated(EffectActivities inner) implements EffectActivities {
    @Override
    public @Nullable String effect(@Nullable String key, @Nullable String request) {
      return "decorated: " + inner.effect(key, request);
    }
  }

  @Test
  void a_decorator_of_the_same_method_is_the_same_activity() {
    bed.startApart(
        ledger.dataSource(), new Decorated(EffectActivities.of(r -> upstream.dispatch("x"))));

    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("decorated", "x")))
        .isEqualTo("decorated: did x");
    assertThat(rows.state("decorated")).isEqualTo("completed, 0 open");
  }

  /** Declares nothing itself. */
  @ActivityInterface
  public interface Unfenced {
    @Nullable String plainly(String key, String request);
  }

  private record UnfencedImpl(NoticeActivities notices) implements Unfenced {
    @Override
    public @Nullable String plainly(String key, String request) {
      return notices.post(key, request);
    }
  }

  @Test
  void inside_an_activity_that_is_not_fenced_it_is_refused_and_not_tried_again() {
    bed.startApart(ledger.dataSource(), new UnfencedImpl(notices));

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Plainly", "plain", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("no-activity");
    assertThat(upstream.requests()).isZero();
  }

  @Test
  void and_on_a_thread_that_no_activity_runs_on() {
    assertThatThrownBy(() -> notices.post("outside", "x"))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE));
  }
}
