package dev.holdfast.samples.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FlatJsonTest {

  @Test
  void what_was_read_is_written_in_the_same_order_without_nulls_and_space() {
    FlatJson json =
        FlatJson.parse(" { \"b\" : \"x\" ,\"a\":-1.50, \"c\":true , \"d\" : null, \"e\":false } ");

    assertThat(json.text()).isEqualTo("{\"b\":\"x\",\"a\":-1.50,\"c\":true,\"e\":false}");
  }

  @Test
  void escapes_are_read_and_what_needs_them_is_escaped_again() {
    FlatJson json = FlatJson.parse("{\"a\":\"\\\"\\\\\\/\\n\\u00e9\\u0001\"}");

    assertThat(json.string("a")).isEqualTo("\"\\/\n\u00e9\u0001");
    assertThat(json.text()).isEqualTo("{\"a\":\"\\\"\\\\/\\u000a\u00e9\\u0001\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "[]",
        "{",
        "{} {}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\":1,}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":01}",
        "{\"a\":+1}",
        "{\"a\":NaN}",
        "{\"a\":[1]}",
        "{\"a\":{}}",
        "{\"a\":\"x}",
        "{\"a\":\"\n\"}",
        "{\"a\":\"\\x\"}",
        "{\"a\":\"\\u12g4\"}",
        "{\"a\":1,\"a\":2}",
        "{a:1}",
      })
  void anything_but_a_flat_object_is_refused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> FlatJson.parse(text));
  }
}
