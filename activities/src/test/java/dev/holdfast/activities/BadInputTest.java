package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OddInputWorkflow;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Input that names no operation is refused before any row exists. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BadInputTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final int operationsBefore;

  BadInputTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.operationsBefore = rows.count();
  }

  @BeforeEach
  void start() {
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(request -> upstream.dispatch(String.valueOf(request))),
        new OddInputWorkflow.MeasuresImpl(upstream));
  }

  @AfterEach
  void close() {
    bed.close();
  }

  static Stream<Arguments> keys() {
    return Stream.of(
            Named.<@Nullable String>of("null", null),
            Named.of("empty", ""),
            Named.of("blank", "  "),
            Named.of("a tabulator", "\t"),
            Named.of("a zero-width space", "\u200b"),
            Named.of("too long", "k".repeat(256)),
            Named.of("a control character", "a\u0007b"),
            Named.of("not in normal form C", "ju\u0308rgen"))
        .map(Arguments::of);
  }

  // cases A7, A9
  @ParameterizedTest
  @MethodSource("keys")
  void a_key_that_names_nothing_is_refused_by_the_workflow_side(@Nullable String key) {
    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once(key, "x")));

    refusedWithoutTrace(failure);
  }

  // cases A7, A9
  @ParameterizedTest
  @MethodSource("keys")
  void a_key_that_names_nothing_is_refused_by_the_worker(@Nullable String key) {
    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", key, "x", 3));

    refusedWithoutTrace(failure);
  }

  @ParameterizedTest
  @EnumSource
  void arguments_without_a_canonical_form_are_refused(OddInputWorkflow.Odd odd) {
    ApplicationFailure failure = Failures.of(() -> bed.workflow(OddInputWorkflow.class).call(odd));

    refusedWithoutTrace(failure);
  }

  private void refusedWithoutTrace(ApplicationFailure failure) {
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(rows.count()).isEqualTo(operationsBefore);
    assertThat(upstream.requests()).isZero();
  }

  @Test
  void a_key_at_the_limit_is_as_good_as_any() {
    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("\ud83d\ude80".repeat(255), "x")))
        .isEqualTo("did x");
  }

  @Test
  void options_that_cannot_work_together_are_refused_at_once() {
    Holdfast.Builder builder = Holdfast.newBuilder(ledger.dataSource());

    assertThatThrownBy(() -> builder.setLease(Duration.ZERO).build()).hasMessageContaining("lease");
    assertThatThrownBy(() -> builder.setLease(Duration.ofSeconds(-3)).build())
        .hasMessageContaining("lease");
    builder.setLease(Duration.ofSeconds(3));
    assertThatThrownBy(() -> builder.setMargin(Duration.ofSeconds(2)).build())
        .hasMessageContaining("margin");
    assertThatThrownBy(() -> builder.setMargin(Duration.ofMillis(-1)))
        .hasMessageContaining("margin");
    builder.setMargin(Duration.ofMillis(50));
    assertThatThrownBy(() -> builder.setWaitInPlace(Duration.ofMillis(-1)).build())
        .hasMessageContaining("wait");
    assertThatThrownBy(() -> builder.setSchema("Robert'); drop")).hasMessageContaining("schema");
    assertThatThrownBy(() -> builder.setWorkerName(" ")).hasMessageContaining("blank");
  }
}
