package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is truly signed must also say something. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SignedFieldsTest extends VerifierBed {
  @ParameterizedTest
  @ValueSource(strings = {"99", "600", "-201", "201.0", "ok", "\"201\"", "201, 201"})
  void a_signed_status_that_is_none_is_malformed(String status) {
    assertThat(refusal(delivery(withStatus(status)))).isEqualTo(Refusal.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 201, 599})
  void a_signed_status_is_taken_as_it_is(int status) {
    assertThat(verifier.verify(delivery(withStatus(Integer.toString(status)))))
        .isEqualTo(new Attestation.Attested(new KeyId("now"), EFFECT, status, NOW));
  }

  private static Map<String, String> withStatus(String status) {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);
    all.put("holdfast-status", status);
    return SIGNER.sign("", "", all, Signer.at(NOW));
  }

  @Test
  void of_several_signed_digests_each_must_be_the_bodys() {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);
    String right = String.valueOf(all.get("content-digest"));
    String other = "sha-512=:" + Base64.getEncoder().encodeToString(new byte[64]) + ":";
    all.put("content-digest", right + ", " + other);

    assertThat(refusal(answer(SIGNER.sign("@status", "201", all, Signer.at(NOW)))))
        .isEqualTo(Refusal.DIGEST_DIFFERS);

    all.put("content-digest", right + ", md5=:AAAA:");
    assertThat(verifier.verify(answer(SIGNER.sign("@status", "201", all, Signer.at(NOW)))))
        .isInstanceOf(Attestation.Attested.class);
  }

  @Test
  void a_field_is_too_big_in_however_many_lines_it_comes() {
    Map<String, List<String>> fields = new HashMap<>(Effects.lines(signed()));
    fields.put("signature", List.of("x".repeat(9_000), "x".repeat(9_000)));

    assertThat(refusal(SignedMessage.response(201, fields, BODY))).isEqualTo(Refusal.TOO_BIG);
  }
}
