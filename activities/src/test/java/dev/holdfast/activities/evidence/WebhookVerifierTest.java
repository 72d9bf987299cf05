package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Scope;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WebhookVerifierTest {
  private static final Instant NOW = Instant.parse("2026-05-01T12:00:00Z");
  private static final byte[] BODY = "exported".getBytes(UTF_8);
  private static final Signer HOOK = Signer.hmac("hook");
  private static final Signer NEXT = Signer.hmac("next");

  private final WebhookVerifier verifier = trusting(HOOK.key());

  @Test
  void a_body_that_its_provider_signed_is_attested_with_what_it_says() {
    assertThat(verifier.verify(delivery(HOOK.stamp(BODY, NOW), BODY)))
        .isEqualTo(new Attestation.Attested(new KeyId("hook"), EFFECT, 201, NOW));
  }

  @Test
  void a_body_that_nobody_signed_is_not_even_read() {
    WebhookVerifier reading =
        WebhookVerifier.of(
            "Hook-Signature",
            body -> {
              throw new AssertionError("read");
            },
            List.of(HOOK.key()),
            Clock.fixed(NOW, ZoneOffset.UTC));

    assertThat(refusal(reading, SignedMessage.request("POST", uri(), Map.of(), BODY)))
        .isEqualTo(Refusal.UNSIGNED);
    assertThat(refusal(reading, delivery(NEXT.stamp(BODY, NOW), BODY)))
        .isEqualTo(Refusal.SIGNATURE_INVALID);
  }

  @Test
  void of_several_signatures_one_that_counts_is_enough() {
    String both = NEXT.stamp(BODY, NOW) + "," + signature(HOOK);

    assertThat(verifier.verify(delivery(both, BODY))).isInstanceOf(Attestation.Attested.class);
    assertThat(trusting(HOOK.key(), NEXT.key()).verify(delivery(NEXT.stamp(BODY, NOW), BODY)))
        .isInstanceOfSatisfying(
            Attestation.Attested.class, a -> assertThat(a.key()).isEqualTo(new KeyId("next")));
  }

  @Test
  void a_retired_secret_is_refused_unless_another_one_signed_too() {
    WebhookVerifier rotated = trusting(HOOK.key().retiredAt(NOW), NEXT.key());
    String both = NEXT.stamp(BODY, NOW) + "," + signature(HOOK);

    assertThat(refusal(rotated, delivery(HOOK.stamp(BODY, NOW), BODY)))
        .isEqualTo(Refusal.RETIRED_KEY);
    assertThat(rotated.verify(delivery(both, BODY))).isInstanceOf(Attestation.Attested.class);
  }

  @Test
  void a_stamp_that_is_too_old_or_yet_to_come_is_refused() {
    assertThat(refusal(delivery(HOOK.stamp(BODY, NOW.minusSeconds(301)), BODY)))
        .isEqualTo(Refusal.TOO_OLD);
    assertThat(refusal(delivery(HOOK.stamp(BODY, NOW.plusSeconds(61)), BODY)))
        .isEqualTo(Refusal.FROM_FUTURE);
  }

  @Test
  void a_secret_speaks_for_the_tenants_that_it_was_given_for() {
    VerificationKey foreign = HOOK.key().forScopes(new Scope("other"));

    assertThat(refusal(trusting(foreign), delivery(HOOK.stamp(BODY, NOW), BODY)))
        .isEqualTo(Refusal.OTHER_SCOPE);
  }

  @Test
  void an_answer_whose_status_is_not_the_one_that_was_signed_is_refused() {
    Map<String, List<String>> fields = Map.of("hook-signature", List.of(HOOK.stamp(BODY, NOW)));

    assertThat(refusal(SignedMessage.response(200, fields, BODY))).isEqualTo(Refusal.OTHER_STATUS);
    assertThat(verifier.verify(SignedMessage.response(201, fields, BODY)))
        .isInstanceOf(Attestation.Attested.class);
  }

  @Test
  void what_a_reader_cannot_read_is_malformed() {
    WebhookVerifier reading =
        WebhookVerifier.of(
            "Hook-Signature",
            body -> {
              throw new IllegalStateException("no such event");
            },
            List.of(HOOK.key()),
            Clock.fixed(NOW, ZoneOffset.UTC));

    assertThat(refusal(reading, delivery(HOOK.stamp(BODY, NOW), BODY)))
        .isEqualTo(Refusal.MALFORMED);
  }

  @Test
  void bodies_and_stamps_over_the_limit_are_refused() {
    String stamp = HOOK.stamp(BODY, NOW);

    assertThat(refusal(verifier.withMaxBody(BODY.length - 1), delivery(stamp, BODY)))
        .isEqualTo(Refusal.TOO_BIG);
    assertThat(refusal(delivery(stamp + ("," + signature(HOOK)).repeat(8), BODY)))
        .isEqualTo(Refusal.TOO_BIG);
  }

  @Test
  void every_bit_of_stamp_and_body_counts_and_no_length_but_the_whole() {
    String stamp = HOOK.stamp(BODY, NOW);
    for (int i = 0; i < stamp.length(); i++) {
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        char[] flipped = stamp.toCharArray();
        flipped[i] ^= (char) (1 << bit);
        assertThat(verifier.verify(delivery(new String(flipped), BODY)))
            .as(new String(flipped))
            .isInstanceOf(Attestation.Refused.class);
      }
      assertThat(verifier.verify(delivery(stamp.substring(0, i), BODY)))
          .isInstanceOf(Attestation.Refused.class);
    }
    for (int i = 0; i < BODY.length; i++) {
      byte[] flipped = BODY.clone();
      flipped[i] ^= 1;
      assertThat(refusal(delivery(stamp, flipped))).isEqualTo(Refusal.SIGNATURE_INVALID);
      assertThat(refusal(delivery(stamp, Arrays.copyOf(BODY, i))))
          .isEqualTo(Refusal.SIGNATURE_INVALID);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          t=1           | UNSIGNED
          ,,            | UNSIGNED
          v1=           | MALFORMED
          v1=00         | MALFORMED
          t=1,t=2,v1=00 | MALFORMED
          t=x,v1=00     | MALFORMED
          t=1,v1=zz     | MALFORMED
          t=1,v1=0      | MALFORMED
          t=1,v1=00     | SIGNATURE_INVALID
          """)
  void a_stamp_that_is_none_is_refused_by_name(String stamp, Refusal reason) {
    assertThat(refusal(delivery(stamp, BODY))).isEqualTo(reason);
  }

  @Test
  void a_public_key_is_no_secret() {
    assertThatThrownBy(() -> trusting(Signer.ed25519("hook").key()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** What stands behind the timestamp. */
  private static String signature(Signer signer) {
    String stamp = signer.stamp(BODY, NOW);
    return stamp.substring(stamp.indexOf(',') + 1);
  }

  private static WebhookVerifier trusting(VerificationKey... keys) {
    return WebhookVerifier.of(
        "Hook-Signature",
        body -> new SignedStatement(EFFECT, 201),
        List.of(keys),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private static SignedMessage delivery(String stamp, byte[] body) {
    return SignedMessage.request("POST", uri(), Map.of("Hook-Signature", List.of(stamp)), body);
  }

  private static URI uri() {
    return URI.create("https://worker.example/hook");
  }

  private Refusal refusal(SignedMessage message) {
    return refusal(verifier, message);
  }

  private static Refusal refusal(WebhookVerifier verifier, SignedMessage message) {
    return ((Attestation.Refused) verifier.verify(message)).reason();
  }
}
