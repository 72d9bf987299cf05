package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationId;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationScope;
import dev.holdfast.Scope;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;
import io.temporal.failure.ApplicationFailure;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OperationKeysTest {
  private static final WorkflowOrigin ORIGIN = new WorkflowOrigin("wf", "first", "original");

  /** A one-field id. */
  public record ExportId(String value) {}

  /** A request that names its tenant and itself. */
  public record Request(
      @OperationScope String tenant, @OperationKey ExportId id, @OperationKey int part) {}

  /** An enum as a part of a key. */
  public enum Kind {
    PDF
  }

  /** Methods that take their keys in every way. */
  @ActivityInterface
  public interface Keys {
    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    void text(@OperationKey @Nullable String key);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    void several(@OperationKey String one, @OperationKey String two);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    void inside(Request request);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    void typed(
        @OperationKey UUID id,
        @OperationKey long number,
        @OperationKey Kind kind,
        @OperationKey LocalDate day,
        @OperationKey Instant at);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION, keyScope = KeyScope.WORKFLOW)
    void perWorkflow(@OperationKey String key);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION, keyScope = KeyScope.CHAIN)
    void perChain(@OperationKey String key);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION, keyScope = KeyScope.RUN)
    void perRun(@OperationKey String key);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    void scoped(@OperationScope @Nullable String tenant, @OperationKey String key);
  }

  @Test
  void one_part_is_the_key_as_it_is() {
    assertThat(key("Text", "e-1")).isEqualTo("e-1");
    assertThat(id("Text", "e-1").text()).isEqualTo("Text:e-1");
  }

  @Test
  void several_parts_are_joined_so_that_no_two_joins_meet() {
    assertThat(key("Several", "a", "bc")).isEqualTo("1:a2:bc");
    assertThat(key("Several", "ab", "c")).isNotEqualTo(key("Several", "a", "bc"));
    assertThat(key("Several", "\ud83d\ude00", "c")).isEqualTo("1:\ud83d\ude001:c");
  }

  @Test
  void parts_may_stand_inside_a_record_and_inside_a_one_field_record() {
    Request request = new Request("acme", new ExportId("e-1"), 7);

    assertThat(key("Inside", request)).isEqualTo("3:e-11:7");
    assertThat(scope("Inside", request)).isEqualTo(new Scope("acme"));
  }

  @Test
  void ids_numbers_enums_and_dates_have_the_text_of_their_value() {
    UUID id = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");

    assertThat(key("Typed", id, 7L, Kind.PDF, LocalDate.of(2026, 11, 1), Instant.ofEpochSecond(0)))
        .isEqualTo("36:" + id + "1:73:PDF10:2026-11-0120:1970-01-01T00:00:00Z");
  }

  @Test
  void a_key_scope_puts_what_a_reset_keeps_before_the_key() {
    assertThat(key("PerWorkflow", "k")).isEqualTo("2:wf1:k");
    assertThat(key("PerChain", "k")).isEqualTo("5:first1:k");
    assertThat(key("PerRun", "k")).isEqualTo("8:original1:k");
  }

  @Test
  void a_key_scope_without_the_workflow_sides_header_is_not_protectable() {
    assertThatThrownBy(
            () -> OperationKeys.operationId(method("PerRun"), arguments("k"), Optional.empty()))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE));
  }

  // case A9, case A7, case I21: null, blank, invisible, not NFC, control characters, half a pair
  @ParameterizedTest
  @NullSource
  @ValueSource(
      strings = {
        "",
        "  ",
        "\t",
        "\n",
        "\u200b",
        "\u00a0",
        "\u3000",
        "\u2060\ufeff",
        "a\u0000b",
        "a\u0007",
        "a\u0085",
        "ju\u0308rgen",
        "\ud83d",
        "a\ude00"
      })
  void a_key_that_names_nothing_or_two_things_is_refused(@Nullable String key) {
    refused(() -> key("Text", key));
    refused(() -> key("Several", "a", key));
    refused(() -> scope("Scoped", key, "k"));
  }

  // case A7
  @Test
  void a_composed_key_is_taken_as_it_is() {
    assertThat(key("Text", "j\u00fcrgen")).isEqualTo("j\u00fcrgen");
    assertThat(key("Text", " j ")).isEqualTo(" j ");
  }

  // case H1
  @ParameterizedTest
  @ValueSource(ints = {1, 64, 65, 255})
  void up_to_255_characters_are_a_key_also_of_four_bytes(int length) {
    assertThat(key("Text", "k".repeat(length))).hasSize(length);
    assertThat(key("Text", "\ud83d\ude00".repeat(length))).hasSize(2 * length);
  }

  // case H1
  @ParameterizedTest
  @ValueSource(ints = {256, 1_024, 1_025, 65_536})
  void a_longer_key_is_refused_never_cut(int length) {
    refused(() -> key("Text", "k".repeat(length)));
    refused(() -> key("Text", "\ud83d\ude00".repeat(length)));
  }

  @Test
  void a_joined_key_is_measured_as_a_whole() {
    refused(() -> key("Several", "k".repeat(200), "k".repeat(200)));
  }

  @Test
  void the_scope_is_the_arguments_then_the_ledgers_then_the_namespace() {
    FencedMethod text = method("Text");
    Scope ledger = new Scope("ledger");

    assertThat(OperationKeys.scope(text, arguments("k"), ledger, "ns")).isEqualTo(ledger);
    assertThat(OperationKeys.scope(text, arguments("k"), null, "ns")).isEqualTo(new Scope("ns"));
    refused(() -> OperationKeys.scope(text, arguments("k"), null, "n".repeat(101)));
  }

  @Test
  void another_number_of_arguments_than_declared_is_refused() {
    refused(() -> key("Several", "a"));
  }

  private static void refused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
              assertThat(failure.isNonRetryable()).isTrue();
            });
  }

  private static String key(String activity, @Nullable Object... arguments) {
    return id(activity, arguments).key();
  }

  private static OperationId id(String activity, @Nullable Object... arguments) {
    return OperationKeys.operationId(method(activity), arguments, Optional.of(ORIGIN));
  }

  private static Scope scope(String activity, @Nullable Object... arguments) {
    return OperationKeys.scope(method(activity), arguments, null, "namespace");
  }

  private static FencedMethod method(String activity) {
    return Objects.requireNonNull(FencedMethods.ofClass(Keys.class).get(activity));
  }

  private static @Nullable Object[] arguments(@Nullable Object... arguments) {
    return arguments;
  }
}
