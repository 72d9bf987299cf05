package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EffectTupleTest {
  @Test
  void it_travels_in_ascii_fields_and_comes_back_as_it_was() {
    EffectTuple odd = Effects.of("Mandant №7", "Export:日本 \"x\", ä", "r", 7, 2, "hoch, laden");

    assertThat(odd.fields().keySet()).isEqualTo(EffectTuple.fieldNames());
    assertThat(odd.fields().values()).allMatch(value -> value.chars().allMatch(c -> c < 128));
    assertThat(read(odd.fields())).isEqualTo(odd);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Holdfast-Scope | tenant",
        "Holdfast-Scope | ::",
        "Holdfast-Scope | :/w==:",
        "Holdfast-Scope | :dGVuYW50:;a=1",
        "Holdfast-Scope | :dGVuYW50:, :dGVuYW50:",
        "Holdfast-Operation | :bm9jb2xvbg==:",
        "Holdfast-Operation | :Og==:",
        "Holdfast-Fingerprint | :AAAA:",
        "Holdfast-Fingerprint | fp1=:AAAA:",
        "Holdfast-Fingerprint | fp1",
        "Holdfast-Generation | -1",
        "Holdfast-Generation | 1.0",
        "Holdfast-Generation | 1, 2",
        "Holdfast-Generation | 1;a",
        "Holdfast-Epoch | -1",
        "Holdfast-Epoch | 2147483648",
        "Holdfast-Epoch | \"1\"",
        "Holdfast-Dispatch | :Cg==:"
      })
  void a_field_that_is_none_is_refused(String name, String value) {
    Map<String, String> fields = new HashMap<>(EFFECT.fields());
    fields.put(name, value);

    assertThatThrownBy(() -> read(fields)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void no_field_may_be_missing() {
    for (String name : EffectTuple.fieldNames()) {
      Map<String, String> fields = new HashMap<>(EFFECT.fields());
      fields.remove(name);
      assertThatThrownBy(() -> read(fields)).as(name).isInstanceOf(IllegalArgumentException.class);
    }
  }

  private static EffectTuple read(Map<String, String> fields) {
    return EffectTuple.of(name -> Optional.ofNullable(fields.get(name)));
  }
}
