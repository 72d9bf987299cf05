package dev.holdfast.activities.evidence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Messages that were signed without any code of this repository: {@code make-vectors.py}. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class IndependentVectorsTest {
  private static final EffectTuple EFFECT =
      Effects.of("mandant-ü", "Export:Rechnung-№17", "request", 3, 1, "");

  private final JsonNode vectors = read();
  private final Instant created = Instant.ofEpochSecond(vectors.get("created").asLong());
  private final Clock clock = Clock.fixed(created.plusSeconds(2), ZoneOffset.UTC);

  @Test
  void an_answer_signed_by_ed25519() {
    KeyId id = new KeyId("upstream-2026");
    VerificationKey key = VerificationKey.ed25519(id, decoded("publicKey"));

    assertThat(MessageSignatureVerifier.of(List.of(key), clock).verify(answer("ed25519")))
        .isEqualTo(new Attestation.Attested(id, EFFECT, 201, created));
  }

  @Test
  void an_answer_signed_by_hmac_sha256() {
    KeyId id = new KeyId("shared-2026");
    VerificationKey key = VerificationKey.hmacSha256(id, decoded("secret"));

    assertThat(MessageSignatureVerifier.of(List.of(key), clock).verify(answer("hmac-sha256")))
        .isEqualTo(new Attestation.Attested(id, EFFECT, 201, created));
  }

  @Test
  void a_webhook_signed_by_hmac_sha256() {
    KeyId id = new KeyId("hook");
    VerificationKey key = VerificationKey.hmacSha256(id, decoded("secret"));
    WebhookVerifier verifier =
        WebhookVerifier.of(
            "Webhook-Signature", IndependentVectorsTest::statement, List.of(key), clock);

    assertThat(verifier.verify(message(vectors.get("webhook"), 201)))
        .isEqualTo(new Attestation.Attested(id, EFFECT, 201, created));
  }

  @Test
  void this_side_writes_the_fields_of_the_tuple_as_the_other_one_does() {
    Map<String, String> written = EFFECT.fields();

    assertThat(written)
        .allSatisfy(
            (name, value) ->
                assertThat(answer("ed25519").field(name)).isEqualTo(Optional.of(value)));
  }

  private static SignedStatement statement(byte[] body) {
    try {
      JsonNode json = new ObjectMapper().readTree(body);
      JsonNode metadata = json.get("metadata");
      return new SignedStatement(
          EffectTuple.of(
              name ->
                  Optional.ofNullable(metadata.get(name.toLowerCase(Locale.ROOT)))
                      .map(JsonNode::asText)),
          json.get("status").asInt());
    } catch (IOException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private SignedMessage answer(String algorithm) {
    return message(vectors.get(algorithm), vectors.get(algorithm).get("status").asInt());
  }

  private static SignedMessage message(JsonNode vector, int status) {
    Map<String, String> fields = new HashMap<>();
    vector
        .get("fields")
        .fields()
        .forEachRemaining(field -> fields.put(field.getKey(), field.getValue().asText()));
    return SignedMessage.response(
        status, Effects.lines(fields), vector.get("body").asText().getBytes(UTF_8));
  }

  private byte[] decoded(String name) {
    return Base64.getDecoder().decode(vectors.get(name).asText());
  }

  private static JsonNode read() {
    try (InputStream file = IndependentVectorsTest.class.getResourceAsStream("vectors.json")) {
      return new ObjectMapper().readTree(Objects.requireNonNull(file));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
