package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.NotInFingerprint;
import dev.holdfast.OperationKey;
import dev.holdfast.Scope;
import dev.holdfast.UpstreamContract;
import io.temporal.activity.ActivityInterface;
import io.temporal.failure.ApplicationFailure;
import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FingerprintTest {
  private static final Scope SCOPE = new Scope("tenant");
  private static final FencedMethod EXPORT =
      Objects.requireNonNull(FencedMethods.ofClass(Exports.class).get("Export"));

  /** One fenced method whose request is anything. */
  @ActivityInterface
  public interface Exports {
    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    void export(@OperationKey String id, @Nullable Object request, @NotInFingerprint String trace);
  }

  // case A1
  @Test
  void the_order_of_keys_does_not_matter_at_any_depth_or_in_any_map() {
    Map<String, Object> one = new LinkedHashMap<>();
    one.put("a", 1);
    one.put("b", new TreeMap<>(Map.of("x", 1, "y", 2)));
    Map<String, Object> inner = new LinkedHashMap<>();
    inner.put("y", 2);
    inner.put("x", 1);
    Map<String, Object> other = new HashMap<>();
    other.put("b", inner);
    other.put("a", 1);

    assertThat(of(one)).isEqualTo(of(other)).isEqualTo(of(new TreeMap<>(one)));
  }

  // case A5
  @Test
  void numbers_keep_their_full_precision() {
    assertThat(of(9007199254740992L)).isNotEqualTo(of(9007199254740993L));
    assertThat(of(new BigDecimal("333333333.33333329")))
        .isNotEqualTo(of(new BigDecimal("333333333.3333333")));
    assertThat(of(Long.MAX_VALUE)).isNotEqualTo(of(Long.MAX_VALUE - 1));
    assertThat(of(new BigDecimal("1E+400"))).isNotEqualTo(of(new BigDecimal("1E+401")));
  }

  @Test
  void one_numeric_value_has_one_fingerprint() {
    assertThat(of(1))
        .isEqualTo(of(1L))
        .isEqualTo(of(1.0d))
        .isEqualTo(of(1f))
        .isEqualTo(of(new BigDecimal("1.000")))
        .isEqualTo(of(new BigDecimal("0.1E1")))
        .isNotEqualTo(of("1"));
  }

  // case A7
  @Test
  void text_in_the_payload_is_hashed_as_given() {
    assertThat(of("j\u00fcrgen")).isNotEqualTo(of("ju\u0308rgen"));
  }

  // case I21
  @Test
  void a_nul_in_the_payload_is_a_character_like_any_other() {
    assertThat(of("a\u0000b")).isNotEqualTo(of("ab")).isNotEqualTo(of("a\\u0000b"));
  }

  // case A15
  @Test
  void what_the_effect_does_to_its_argument_does_not_reach_a_captured_fingerprint() {
    List<String> request = new ArrayList<>(List.of("a"));
    @Nullable Object[] arguments = {"e-1", request, "trace"};
    var captured = Fingerprint.of(EXPORT, SCOPE, arguments);

    request.add("processed");

    assertThat(captured).isEqualTo(of(List.of("a"))).isNotEqualTo(of(request));
  }

  @Test
  void scope_type_key_and_request_all_count_and_a_left_out_parameter_does_not() {
    var export = of("request");

    assertThat(Fingerprint.of(EXPORT, new Scope("other"), arguments("request")))
        .isNotEqualTo(export);
    assertThat(Fingerprint.of(EXPORT, SCOPE, new @Nullable Object[] {"e-2", "request", "trace"}))
        .isNotEqualTo(export);
    assertThat(Fingerprint.of(EXPORT, SCOPE, new @Nullable Object[] {"e-1", "request", "other"}))
        .isEqualTo(export);
  }

  static Stream<@Nullable Object> unfit() {
    Map<String, Object> cyclic = new HashMap<>();
    cyclic.put("self", new ArrayList<>(List.of(cyclic)));
    List<Object> deep = new ArrayList<>();
    List<Object> at = deep;
    for (int i = 0; i < 10_000; i++) {
      List<Object> next = new ArrayList<>();
      at.add(next);
      at = next;
    }
    return Stream.of(
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Float.NEGATIVE_INFINITY,
        new double[] {1, Double.NaN},
        List.of(Map.of("amount", Double.NaN)),
        "half a pair \ud83d",
        "\ude00 the other half",
        Map.of("\ud83d", 1),
        new Object(),
        cyclic,
        deep,
        new ByteArrayInputStream(new byte[0]),
        Map.of(1, "a", "1", "b"),
        new Throwing());
  }

  // case A9 for numbers; what cannot be hashed never reaches the ledger
  @ParameterizedTest
  @MethodSource("unfit")
  void what_has_no_canonical_form_is_refused_with_a_name(Object value) {
    assertThatThrownBy(() -> of(value))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
              assertThat(failure.isNonRetryable()).isTrue();
              assertThat(failure.getCause()).isNull();
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"secret"})
  void a_refusal_does_not_quote_the_payload(String secret) {
    assertThatThrownBy(() -> of(Map.of(secret, Map.of(secret, new Throwing()))))
        .hasMessageNotContaining(secret);
    assertThatThrownBy(() -> of(secret + "\ud83d")).hasMessageNotContaining(secret);
  }

  /** A bean whose getter fails with a message that quotes it. */
  public static final class Throwing {
    /** Fails. */
    @SuppressWarnings("DoNotCallSuggester")
    public String getName() {
      throw new IllegalStateException("secret");
    }
  }

  private static dev.holdfast.RequestFingerprint of(@Nullable Object request) {
    return Fingerprint.of(EXPORT, SCOPE, arguments(request));
  }

  private static @Nullable Object[] arguments(@Nullable Object request) {
    return new @Nullable Object[] {"e-1", request, "trace"};
  }
}
