package dev.holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Text that names something is refused at the border, never trimmed, folded or cut. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NamesTest {
  /**
   * A kind of text that names something.
   *
   * @param limit the most characters that it may have
   */
  record Name(String kind, int limit, Function<String, Object> maker) {
    Object of(String text) {
      return maker.apply(text);
    }

    @Override
    public String toString() {
      return kind;
    }
  }

  private static final List<Name> NAMES =
      List.of(
          new Name("scope", 100, Scope::new),
          new Name("operation type", 100, type -> new OperationId(type, "key")),
          new Name("operation key", 255, key -> new OperationId("export", key)),
          new Name("shared resource", 255, ResourceId::shared),
          new Name("effect", 255, EffectId::new),
          new Name("worker", 255, WorkerName::new),
          new Name("failure code", 100, code -> new SettledFailure(code, 422)),
          new Name("scheme", 16, scheme -> new RequestFingerprint(scheme, Sha256.ofUtf8(""))),
          new Name("reason", 100, AttemptEnd.Unclear::new));

  private static Stream<Arguments> each(String... texts) {
    return NAMES.stream().flatMap(name -> Stream.of(texts).map(text -> Arguments.of(name, text)));
  }

  static Stream<Arguments> invisible() {
    return each("", " ", "  ", "\t", "\n", "\u00a0", "\u2003", "\u200b", "\ufeff", " \u200b\t");
  }

  static Stream<Arguments> unstorable() {
    return each("a\u0000b", "a\nb", "a\rb", "\u0007a", "a\u007f", "a\u0085b", "\ud800", "a\udc00b");
  }

  static Stream<Arguments> decomposed() {
    return each("ju\u0308rgen", "e\u0301", "\u1112\u1161\u11ab", "\u212b");
  }

  static Stream<Arguments> good() {
    return each(
        "a", "j\u00fcrgen", "a b", " a", "a ", "\u65e5\u672c", "\ud83d\ude00", "'; drop table");
  }

  static Stream<Name> all() {
    return NAMES.stream();
  }

  static Stream<Arguments> tooLong() {
    return all()
        .flatMap(
            name ->
                IntStream.of(name.limit + 1, 256, 1_024, 1_025, 65_536)
                    .filter(length -> length > name.limit)
                    .mapToObj(length -> Arguments.of(name, length)));
  }

  // case A9
  @ParameterizedTest
  @MethodSource("invisible")
  void what_nobody_can_see_names_nothing(Name name, String text) {
    assertThatThrownBy(() -> name.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blank");
  }

  // case A9
  @ParameterizedTest
  @MethodSource("all")
  @SuppressWarnings("NullAway")
  void null_names_nothing(Name name) {
    assertThatThrownBy(() -> name.of(null)).isInstanceOf(NullPointerException.class);
  }

  // case I21
  @ParameterizedTest
  @MethodSource("unstorable")
  void what_postgres_could_not_keep_as_it_is_is_refused_before_it(Name name, String text) {
    assertThatThrownBy(() -> name.of(text)).isInstanceOf(IllegalArgumentException.class);
  }

  // case A7
  @ParameterizedTest
  @MethodSource("decomposed")
  void a_second_spelling_of_one_visible_name_is_refused(Name name, String text) {
    assertThatThrownBy(() -> name.of(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("normal form C");
  }

  // case H1
  @ParameterizedTest
  @MethodSource("tooLong")
  void a_name_longer_than_its_column_is_refused(Name name, int length) {
    assertThatThrownBy(() -> name.of("a".repeat(length)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("longer than " + name.limit);
  }

  // case H1
  @ParameterizedTest
  @MethodSource("all")
  void the_longest_name_counts_characters_not_bytes(Name name) {
    assertThatCode(() -> name.of("a".repeat(name.limit))).doesNotThrowAnyException();
    assertThatCode(() -> name.of("\ud83d\ude00".repeat(name.limit))).doesNotThrowAnyException();
    assertThatThrownBy(() -> name.of("\ud83d\ude00".repeat(name.limit + 1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @MethodSource("good")
  void a_good_name_is_kept_as_it_is(Name name, String text) {
    assertThat(name.of(text)).isEqualTo(name.of(text));
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_refusal_never_quotes_the_name(Name name) {
    assertThatThrownBy(() -> name.of("secret\u0000")).hasMessageNotContaining("secret");
    assertThatThrownBy(() -> name.of("secret".repeat(100))).hasMessageNotContaining("secret");
  }

  @Test
  void names_that_differ_in_case_or_spaces_are_different() {
    assertThat(Stream.of("a", "A", " a", "a ", "a b", "ab").map(key -> new OperationId("t", key)))
        .doesNotHaveDuplicates();
  }

  @Test
  void an_operation_type_holds_no_colon() {
    assertThatThrownBy(() -> new OperationId("ex:port", "key"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void an_operation_comes_back_from_its_text() {
    List<OperationId> operations =
        List.of(
            new OperationId("export", "a"),
            new OperationId("export", ":"),
            new OperationId("export", "a:b:c"),
            new OperationId("export", " a"),
            new OperationId("\ud83d\ude00".repeat(100), "\ud83d\ude00".repeat(255)));

    assertThat(operations).allSatisfy(id -> assertThat(OperationId.parse(id.text())).isEqualTo(id));
  }

  @Test
  void no_two_operations_share_a_text() {
    List<String> parts = List.of("a", "b", "ab", "a b", "A");
    List<String> keys = List.of("a", "b", ":a", "a:", "a:b", "b:a", "::", "ab", "a b", "A");

    assertThat(
            parts.stream()
                .flatMap(type -> keys.stream().map(key -> new OperationId(type, key).text())))
        .hasSize(parts.size() * keys.size())
        .doesNotHaveDuplicates();
  }

  @Test
  void a_text_that_names_no_operation_is_refused() {
    assertThat(List.of("", "export", ":", ":key", "export:", "ex port\u0000:key"))
        .allSatisfy(
            text ->
                assertThatThrownBy(() -> OperationId.parse(text))
                    .isInstanceOf(IllegalArgumentException.class));
  }

  @Test
  void a_shared_resource_never_shares_a_text_with_an_operation() {
    assertThat(ResourceId.shared("export:a"))
        .isNotEqualTo(ResourceId.of(new OperationId("export", "a")));
    assertThat(ResourceId.shared("export:a").isShared()).isTrue();
    assertThat(ResourceId.of(new OperationId("export", ":a")).isShared()).isFalse();
  }

  @Test
  void an_operation_cannot_reserve_the_own_resource_of_another_one() {
    OperationId operation = new OperationId("export", "a");
    ResourceId another = ResourceId.of(new OperationId("export", "b"));

    assertThatThrownBy(
            () ->
                new Reservation(
                    new Scope("tenant"),
                    operation,
                    new RequestFingerprint("fp1", Sha256.ofUtf8("request")),
                    new Generation(0),
                    another))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void a_key_is_shown_by_its_digest_alone() {
    OperationId operation = new OperationId("export", "ann@example.org");

    assertThat(operation).hasToString("export:#" + Sha256.ofUtf8("ann@example.org").shortHex());
    assertThat(ResourceId.of(operation).toString()).doesNotContain("ann");
    assertThat(new EffectId("ann@example.org")).isNotNull();
  }
}
