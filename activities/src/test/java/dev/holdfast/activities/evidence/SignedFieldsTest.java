package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static java.nio.charset.StandardCharsets.UTF_8;
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

  @ParameterizedTest
  @ValueSource(strings = {";alg=ed25519", ";alg=1", ";expires=\"1800000000\"", ";expires=1.5"})
  void a_parameter_of_another_type_is_malformed(String parameter) {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);

    assertThat(refusal(answer(SIGNER.sign("@status", "201", all, Signer.at(NOW) + parameter))))
        .isEqualTo(Refusal.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sf", "bs", "tr"})
  void a_component_under_another_parameter_is_not_taken_as_it_reads(String parameter) {
    Map<String, String> fields =
        SIGNER.signLines(
            Map.of("\"@status\"", "201", "\"holdfast-epoch\";" + parameter, "1"),
            Signer.withDigest(EFFECT.fields(), BODY),
            Signer.at(NOW));

    assertThat(refusal(answer(fields))).isEqualTo(Refusal.COVERS_UNKNOWN);
  }

  @Test
  void a_part_of_the_request_is_not_looked_for_in_the_answer() {
    Map<String, String> fields =
        SIGNER.signLines(
            Map.of("\"@status\"", "201", "\"holdfast-epoch\";req", "1"),
            Signer.withDigest(EFFECT.fields(), BODY),
            Signer.at(NOW));

    assertThat(refusal(answer(fields))).isEqualTo(Refusal.COVERS_UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0308", "a\tb"})
  void a_dispatch_whose_name_could_be_written_in_two_ways_is_malformed(String dispatch) {
    assertThat(refusal(answer(dispatching(dispatch)))).isEqualTo(Refusal.MALFORMED);
    assertThat(refusal(answer(dispatching("x".repeat(101))))).isEqualTo(Refusal.MALFORMED);
    assertThat(verifier.verify(answer(dispatching("x".repeat(100)))))
        .isInstanceOf(Attestation.Attested.class);
  }

  private static Map<String, String> dispatching(String name) {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);
    String text = Base64.getEncoder().encodeToString(name.getBytes(UTF_8));
    all.put("holdfast-dispatch", ":" + text + ":");
    return SIGNER.sign("@status", "201", all, Signer.at(NOW));
  }
}
