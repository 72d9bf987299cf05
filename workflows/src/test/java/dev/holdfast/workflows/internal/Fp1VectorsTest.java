package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.Scope;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The published vectors, whose texts and digests come from {@code fp1_vectors.py}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class Fp1VectorsTest {
  static Stream<JsonNode> vectors() throws IOException {
    try (InputStream file = Fp1VectorsTest.class.getResourceAsStream("/fp1-vectors.json")) {
      JsonNode vectors = new ObjectMapper().readTree(Objects.requireNonNull(file)).get("vectors");
      return StreamSupport.stream(vectors.spliterator(), false);
    }
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void text_and_digest_are_those_of_the_independent_script(JsonNode vector) throws Exception {
    Scope scope = new Scope(vector.get("scope").textValue());
    String type = vector.get("type").textValue();
    Map<String, String> arguments = arguments(vector);

    assertThat(Fingerprint.canonical(scope, type, arguments))
        .as(vector.get("name").textValue())
        .isEqualTo(vector.get("canonical").textValue());
    assertThat(Fingerprint.ofTexts(scope, type, arguments).sha256())
        .isEqualTo(vector.get("sha256").textValue());
  }

  @Test
  void there_are_at_least_120_vectors() throws IOException {
    assertThat(vectors()).hasSizeGreaterThanOrEqualTo(120);
  }

  private static Map<String, String> arguments(JsonNode vector) throws Exception {
    Map<String, String> texts = new HashMap<>();
    Set<Integer> leftOut = VectorReader.indices(vector.path("leftOut"));
    int index = 0;
    for (JsonNode argument : vector.get("arguments")) {
      if (!leftOut.contains(index)) {
        Object value = VectorReader.value(argument);
        texts.put(Integer.toString(index), CanonicalJson.of(value, declared(vector, value)));
      }
      index++;
    }
    return texts;
  }

  private static Type declared(JsonNode vector, @Nullable Object value)
      throws NoSuchMethodException {
    if (vector.has("declared")) {
      return VectorTypes.Declared.class.getDeclaredMethod(
              vector.get("declared").textValue(), java.util.List.class)
          .getGenericParameterTypes()[0];
    }
    return value == null ? Object.class : value.getClass();
  }
}
