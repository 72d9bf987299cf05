package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No byte of the evidence may change, and none may be missing. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TamperedEvidenceTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final byte[] BODY = "{\"export\":\"exp-1\"}".getBytes(UTF_8);

  static Stream<Signer> signers() {
    return Stream.of(Signer.ed25519("now"), Signer.hmac("now"));
  }

  @ParameterizedTest
  @MethodSource("signers")
  void every_bit_of_every_field_counts(Signer signer) {
    Map<String, String> fields = signer.answer(201, EFFECT.fields(), BODY, NOW);
    List<String> believed = new ArrayList<>();
    fields.forEach(
        (name, value) -> {
          byte[] bytes = value.getBytes(ISO_8859_1);
          for (int i = 0; i < bytes.length; i++) {
            for (int bit = 0; bit < Byte.SIZE; bit++) {
              byte[] flipped = bytes.clone();
              flipped[i] ^= (byte) (1 << bit);
              String changed = new String(flipped, ISO_8859_1);
              if (isBelieved(signer, with(fields, name, changed), BODY)) {
                believed.add(name + " at " + i + ": " + changed);
              }
            }
          }
        });

    assertThat(isBelieved(signer, fields, BODY)).isTrue();
    assertThat(believed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("signers")
  void every_bit_of_the_body_counts(Signer signer) {
    Map<String, String> fields = signer.answer(201, EFFECT.fields(), BODY, NOW);

    for (int i = 0; i < BODY.length; i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        byte[] flipped = BODY.clone();
        flipped[i] ^= (byte) (1 << bit);
        assertThat(isBelieved(signer, fields, flipped)).as("byte %d bit %d", i, bit).isFalse();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("signers")
  void cut_anywhere_it_is_not_believed(Signer signer) {
    Map<String, String> fields = signer.answer(201, EFFECT.fields(), BODY, NOW);
    List<String> believed = new ArrayList<>();
    fields.forEach(
        (name, value) -> {
          for (int length = 0; length < value.length(); length++) {
            if (isBelieved(signer, with(fields, name, value.substring(0, length)), BODY)) {
              believed.add(name + " of length " + length);
            }
          }
        });
    for (int length = 0; length < BODY.length; length++) {
      if (isBelieved(signer, fields, Arrays.copyOf(BODY, length))) {
        believed.add("body of length " + length);
      }
    }

    assertThat(believed).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("signers")
  void without_any_one_field_it_is_not_believed(Signer signer) {
    Map<String, String> fields = signer.answer(201, EFFECT.fields(), BODY, NOW);

    for (String name : fields.keySet()) {
      Map<String, String> less = new HashMap<>(fields);
      less.remove(name);
      assertThat(isBelieved(signer, less, BODY)).as(name).isFalse();
    }
  }

  private static Map<String, String> with(Map<String, String> fields, String name, String value) {
    Map<String, String> changed = new HashMap<>(fields);
    changed.put(name, value);
    return changed;
  }

  /** Whatever is not believed was refused by name: the verifier throws nothing. */
  private static boolean isBelieved(Signer signer, Map<String, String> fields, byte[] body) {
    return switch (MessageSignatureVerifier.of(
            List.of(signer.key()), Clock.fixed(NOW, ZoneOffset.UTC))
        .verify(SignedMessage.response(201, Effects.lines(fields), body))) {
      case Attestation.Attested attested -> true;
      case Attestation.Refused refused -> false;
    };
  }
}
