package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.BoundTo;
import dev.holdfast.Fenced;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationRef;
import dev.holdfast.RequiresCompleted;
import dev.holdfast.Scope;
import dev.holdfast.UpstreamContract;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityInterface;
import io.temporal.client.WorkflowFailedException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A binding's generation comes into history once, and goes with every call that is bound to it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BoundCallsTest {
  /** One activity whose effect is requested under a binding. */
  @ActivityInterface
  public interface BoundExports {
    /** Fenced, and bound. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String exportBound(@OperationKey String id, @BoundTo BindingRef mandate);
  }

  /** The implementation. */
  public static final class ExportsUnderMandate implements BoundExports {
    @Override
    public String exportBound(String id, BindingRef mandate) {
      return "exported under " + mandate.generation();
    }
  }

  /** Marks what is no binding. */
  @ActivityInterface
  public interface BoundToText {
    /** Wrong. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String export(@OperationKey String id, @BoundTo String mandate);
  }

  /** Marks two. */
  @ActivityInterface
  public interface BoundTwice {
    /** Wrong. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String export(@OperationKey String id, @BoundTo BindingRef one, @BoundTo BindingRef other);
  }

  /** What the mark is lost on. */
  public record Mandated(@BoundTo BindingRef mandate) {}

  /** Marks inside an argument. */
  @ActivityInterface
  public interface BoundInside {
    /** Wrong. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String export(@OperationKey String id, Mandated request);
  }

  /** Forgets the mark. */
  @ActivityInterface
  public interface BoundToNothing {
    /** Wrong. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String export(@OperationKey String id, BindingRef mandate);
  }

  /** What the mark is lost on. */
  public record Gated(@RequiresCompleted OperationRef export) {}

  /** Marks a gate inside an argument. */
  @ActivityInterface
  public interface GatedInside {
    /** Wrong. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    String share(@OperationKey String id, Gated request);
  }

  /** What a ledger would answer: a generation that rises, or nothing for so many times. */
  public static final class Bindings implements BindingLookup {
    final List<Query> queries = new CopyOnWriteArrayList<>();
    final AtomicInteger silent = new AtomicInteger();
    private final AtomicLong generation = new AtomicLong(3);

    @Override
    public BindingRef current(Query query) {
      queries.add(query);
      if (silent.getAndDecrement() > 0) {
        throw HoldfastFailures.ledgerUnavailable("binding", "down");
      }
      return new BindingRef(query.name(), new Generation(generation.getAndIncrement()));
    }
  }

  private final Bindings bindings = new Bindings();

  private Bench bench(Supplier<String> script) {
    Bench bench = Bench.skippingTime(script);
    bench.worker.registerActivitiesImplementations(bindings);
    bench.worker.registerActivitiesImplementations(new ExportsUnderMandate());
    return bench;
  }

  private static BoundExports stub() {
    return Workflow.newActivityStub(BoundExports.class, Bench.options());
  }

  private static BindingRef mandate(long generation) {
    return new BindingRef(new BindingName("mandate"), new Generation(generation));
  }

  @Test
  void the_current_generation_goes_with_the_call() {
    try (Bench bench =
        bench(() -> stub().exportBound("e-1", FencedActivities.currentBinding("mandate")))) {

      assertThat(bench.run()).isEqualTo("exported under 3");

      assertThat(bench.workerSide.header("ExportBound").generation()).isEqualTo(new Generation(3));
      assertThat(bindings.queries)
          .containsExactly(new BindingLookup.Query(null, new BindingName("mandate")));
    }
  }

  @Test
  void a_tenants_binding_is_asked_for_in_its_scope() {
    try (Bench bench =
        bench(
            () -> "" + FencedActivities.currentBinding(new Scope("t-1"), "mandate").generation())) {

      assertThat(bench.run()).isEqualTo("3");

      assertThat(bindings.queries)
          .containsExactly(new BindingLookup.Query(new Scope("t-1"), new BindingName("mandate")));
    }
  }

  @Test
  void it_is_kept_in_history_and_replays_as_it_was() {
    Supplier<String> script =
        () -> {
          BindingRef first = FencedActivities.currentBinding("mandate");
          Workflow.sleep(1_000);
          BindingRef second = FencedActivities.currentBinding("mandate");
          return first.generation() + " " + second.generation();
        };
    try (Bench bench = bench(script)) {
      assertThat(bench.run()).isEqualTo("3 4");
      int asked = bindings.queries.size();

      assertThatCode(() -> WorkflowReplayer.replayWorkflowExecution(bench.history(), bench.worker))
          .doesNotThrowAnyException();
      assertThat(bindings.queries).hasSize(asked);
    }
  }

  @Test
  void an_absent_ledger_is_waited_for_with_growing_pauses() {
    bindings.silent.set(9);
    try (Bench bench = bench(() -> "" + FencedActivities.currentBinding("mandate").generation())) {
      assertThat(bench.run()).isEqualTo("3");
      assertThat(bench.timers())
          .map(Duration::toSeconds)
          .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    }
  }

  @Test
  void one_that_stays_absent_for_an_hour_fails_the_caller_who_may_try_again() {
    bindings.silent.set(Integer.MAX_VALUE);
    try (Bench bench = bench(() -> "" + FencedActivities.currentBinding("mandate").generation())) {

      ApplicationFailure failure = failureOf(bench);

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEDGER_UNAVAILABLE);
      assertThat(failure.isNonRetryable()).isFalse();
      assertThat(bench.timers().stream().reduce(Duration.ZERO, Duration::plus))
          .isBetween(Duration.ofHours(1), Duration.ofMinutes(61));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a\nb", "ju\u0308rgen"})
  void a_name_that_cannot_be_one_is_refused_before_the_ledger_is_asked(String name) {
    try (Bench bench = bench(() -> "" + FencedActivities.currentBinding(name).generation())) {

      assertThat(failureOf(bench).getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
      assertThat(bindings.queries).isEmpty();
    }
  }

  @Test
  @SuppressWarnings("NullAway") // what an author may do
  void no_binding_is_no_generation() {
    try (Bench bench = bench(() -> stub().exportBound("e-1", null))) {

      assertThat(failureOf(bench).getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
      assertThat(bench.scheduled()).isZero();
    }
  }

  @Test
  void the_name_is_part_of_the_request_and_the_generation_is_not() {
    FencedMethod method = method(BoundExports.class);
    Scope scope = new Scope("tenant");
    Object[] third = {"e-1", mandate(3)};
    Object[] fourth = {"e-1", mandate(4)};
    Object[] other = {"e-1", new BindingRef(new BindingName("other"), new Generation(3))};

    assertThat(Fingerprint.of(method, scope, fourth))
        .isEqualTo(Fingerprint.of(method, scope, third))
        .isNotEqualTo(Fingerprint.of(method, scope, other));
    assertThat(method.binding(third)).contains(mandate(3));
  }

  @ParameterizedTest
  @ValueSource(
      classes = {BoundToText.class, BoundTwice.class, BoundInside.class, BoundToNothing.class})
  void what_cannot_be_bound_is_refused_with_the_methods_name(Class<?> declared) {
    assertThatThrownBy(() -> method(declared))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("export")
        .hasMessageContaining("@BoundTo");
  }

  @Test
  void a_gate_inside_an_argument_would_stand_open_and_is_refused() {
    assertThatThrownBy(() -> method(GatedInside.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("share", "@RequiresCompleted");
  }

  private static FencedMethod method(Class<?> declared) {
    return FencedMethods.ofInterfaceMethod("Export", declared.getMethods()[0]).orElseThrow();
  }

  private static ApplicationFailure failureOf(Bench bench) {
    try {
      throw new AssertionError("it answered " + bench.run());
    } catch (WorkflowFailedException e) {
      return (ApplicationFailure) Objects.requireNonNull(e.getCause());
    }
  }
}
