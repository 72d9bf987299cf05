package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;

/** One upstream that signs, and a verifier that has its key and a clock that stands. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class VerifierBed {
  static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  static final byte[] BODY = "{\"export\":\"exp-1\"}".getBytes(UTF_8);
  static final Signer SIGNER = Signer.ed25519("now");

  final MessageSignatureVerifier verifier = trusting(SIGNER.key());

  static MessageSignatureVerifier trusting(VerificationKey... keys) {
    return MessageSignatureVerifier.of(List.of(keys), Clock.fixed(NOW, ZoneOffset.UTC));
  }

  static Map<String, String> signed() {
    return SIGNER.answer(201, EFFECT.fields(), BODY, NOW);
  }

  static SignedMessage answer(Map<String, String> fields) {
    return SignedMessage.response(201, Effects.lines(fields), BODY);
  }

  static SignedMessage delivery(Map<String, String> fields) {
    return SignedMessage.request(
        "POST", URI.create("https://worker.example/hook"), Effects.lines(fields), BODY);
  }

  Refusal refusal(SignedMessage message) {
    return refusal(verifier, message);
  }

  static Refusal refusal(MessageSignatureVerifier verifier, SignedMessage message) {
    return ((Attestation.Refused) verifier.verify(message)).reason();
  }
}
