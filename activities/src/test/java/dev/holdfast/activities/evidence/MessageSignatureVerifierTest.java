package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class MessageSignatureVerifierTest extends VerifierBed {
  @Test
  void an_answer_that_its_upstream_signed_is_attested() {
    assertThat(verifier.verify(answer(signed())))
        .isEqualTo(new Attestation.Attested(new KeyId("now"), EFFECT, 201, NOW));
  }

  @Test
  void a_message_that_its_upstream_sent_by_itself_is_attested_with_its_own_status() {
    Map<String, String> fields = SIGNER.delivery(200, EFFECT.fields(), BODY, NOW);

    assertThat(verifier.verify(delivery(fields)))
        .isEqualTo(new Attestation.Attested(new KeyId("now"), EFFECT, 200, NOW));
  }

  @Test
  void an_answer_cannot_be_delivered_again_as_a_message_of_its_own_nor_the_other_way_round() {
    assertThat(refusal(delivery(signed()))).isEqualTo(Refusal.NOT_COVERED);
    assertThat(refusal(answer(SIGNER.delivery(201, EFFECT.fields(), BODY, NOW))))
        .isEqualTo(Refusal.NOT_COVERED);
  }

  @Test
  void echoed_fields_and_an_echoed_body_without_a_signature_prove_nothing() {
    Map<String, String> echoed = Signer.withDigest(EFFECT.fields(), BODY);

    assertThat(refusal(answer(echoed))).isEqualTo(Refusal.UNSIGNED);
  }

  @Test
  void a_field_that_is_signed_no_more_is_refused_however_it_reads() {
    for (String name : signed().keySet()) {
      if (!name.startsWith("signature")) {
        Map<String, String> less = Signer.withDigest(EFFECT.fields(), BODY);
        String echoed = less.remove(name);
        Map<String, String> fields = SIGNER.sign("@status", "201", less, Signer.at(NOW));
        fields.put(name, String.valueOf(echoed));

        assertThat(refusal(answer(fields))).as(name).isEqualTo(Refusal.NOT_COVERED);
      }
    }
  }

  @Test
  void a_status_that_is_not_signed_is_refused() {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);

    assertThat(refusal(answer(SIGNER.sign("", "", all, Signer.at(NOW)))))
        .isEqualTo(Refusal.NOT_COVERED);
  }

  @Test
  void another_status_than_the_signed_one_is_refused() {
    SignedMessage raised = SignedMessage.response(200, Effects.lines(signed()), BODY);

    assertThat(refusal(raised)).isEqualTo(Refusal.SIGNATURE_INVALID);
  }

  @Test
  void another_body_than_the_signed_one_is_refused() {
    SignedMessage swapped =
        SignedMessage.response(201, Effects.lines(signed()), "{}".getBytes(UTF_8));

    assertThat(refusal(swapped)).isEqualTo(Refusal.DIGEST_DIFFERS);
  }

  @Test
  void a_digest_of_no_known_algorithm_ties_no_body() {
    Map<String, String> fields = Signer.withDigest(EFFECT.fields(), BODY);
    fields.put("content-digest", "md5=:" + "AAAA".repeat(5) + "AA==:");

    assertThat(refusal(answer(SIGNER.sign("@status", "201", fields, Signer.at(NOW)))))
        .isEqualTo(Refusal.DIGEST_DIFFERS);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 299, 300})
  void what_was_signed_within_five_minutes_is_believed(long secondsAgo) {
    Instant created = NOW.minusSeconds(secondsAgo);

    assertThat(verifier.verify(answer(SIGNER.answer(201, EFFECT.fields(), BODY, created))))
        .isInstanceOf(Attestation.Attested.class);
  }

  @Test
  void what_was_signed_before_that_is_a_replay() {
    Instant created = NOW.minusSeconds(301);

    assertThat(refusal(answer(SIGNER.answer(201, EFFECT.fields(), BODY, created))))
        .isEqualTo(Refusal.TOO_OLD);
    assertThat(
            verifier
                .withMaxAge(Duration.ofHours(1))
                .verify(answer(SIGNER.answer(201, EFFECT.fields(), BODY, created))))
        .isInstanceOf(Attestation.Attested.class);
  }

  @Test
  void clocks_may_differ_by_a_minute_and_no_more() {
    assertThat(
            verifier.verify(answer(SIGNER.answer(201, EFFECT.fields(), BODY, NOW.plusSeconds(60)))))
        .isInstanceOf(Attestation.Attested.class);
    assertThat(refusal(answer(SIGNER.answer(201, EFFECT.fields(), BODY, NOW.plusSeconds(61)))))
        .isEqualTo(Refusal.FROM_FUTURE);
  }

  @Test
  void the_end_that_a_signer_set_is_kept() {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);
    long now = NOW.getEpochSecond();
    String created = Signer.at(NOW.minusSeconds(10));

    assertThat(refusal(answer(SIGNER.sign("@status", "201", all, created + ";expires=" + now))))
        .isEqualTo(Refusal.EXPIRED);
    assertThat(
            verifier.verify(
                answer(SIGNER.sign("@status", "201", all, created + ";expires=" + (now + 1)))))
        .isInstanceOf(Attestation.Attested.class);
  }

  // case H5
  @ParameterizedTest
  @MethodSource("neighbours")
  void a_true_signature_over_another_effect_is_refused_by_the_part_that_differs(
      EffectTuple other, Refusal reason) {
    Attestation attested = verifier.verify(answer(SIGNER.answer(201, other.fields(), BODY, NOW)));

    assertThat(attested).isInstanceOf(Attestation.Attested.class);
    assertThat(attested.about(EFFECT)).isEqualTo(new Attestation.Refused(reason));
    assertThat(attested.about(other)).isEqualTo(attested);
  }

  static Stream<Arguments> neighbours() {
    String scope = "tenant-ä";
    String id = "Export:invoice-17";
    return Stream.of(
        Arguments.of(Effects.of("tenant-b", id, "request", 3, 1, ""), Refusal.OTHER_SCOPE),
        Arguments.of(
            Effects.of(scope, "Export:invoice-18", "request", 3, 1, ""), Refusal.OTHER_OPERATION),
        Arguments.of(Effects.of(scope, id, "another", 3, 1, ""), Refusal.OTHER_FINGERPRINT),
        Arguments.of(Effects.of(scope, id, "request", 2, 1, ""), Refusal.OTHER_GENERATION),
        Arguments.of(Effects.of(scope, id, "request", 4, 1, ""), Refusal.OTHER_GENERATION),
        Arguments.of(Effects.of(scope, id, "request", 3, 0, ""), Refusal.OTHER_EPOCH),
        Arguments.of(Effects.of(scope, id, "request", 3, 1, "upload"), Refusal.OTHER_DISPATCH));
  }

  // case H5
  @Test
  void an_echo_of_the_right_generation_beside_a_signature_over_another_one_is_refused() {
    EffectTuple older = Effects.of("tenant-ä", "Export:invoice-17", "request", 2, 1, "");
    Map<String, String> forged = SIGNER.answer(201, older.fields(), BODY, NOW);
    forged.put("holdfast-generation", "3");

    assertThat(refusal(answer(forged))).isEqualTo(Refusal.SIGNATURE_INVALID);
  }

  @Test
  void a_second_line_of_a_signed_field_is_refused() {
    Map<String, List<String>> fields = new HashMap<>(Effects.lines(signed()));
    fields.put("Holdfast-Generation", List.of("4"));

    assertThat(refusal(SignedMessage.response(201, fields, BODY)))
        .isEqualTo(Refusal.SIGNATURE_INVALID);
  }

  @Test
  void one_signature_that_counts_is_enough_among_others() {
    Map<String, String> fields = signed();
    fields.compute(
        "signature-input", (name, own) -> "proxy=(\"date\");created=1;keyid=\"p\", " + own);
    fields.compute("signature", (name, own) -> own + ", proxy=:AAAA:");

    assertThat(verifier.verify(answer(fields))).isInstanceOf(Attestation.Attested.class);
  }

  @Test
  void of_several_the_one_that_came_furthest_gives_the_reason() {
    Map<String, String> fields = SIGNER.answer(201, EFFECT.fields(), BODY, NOW.minusSeconds(900));
    fields.compute("signature-input", (name, own) -> "proxy=();created=1;keyid=\"p\", " + own);
    fields.compute("signature", (name, own) -> own + ", proxy=:AAAA:");

    assertThat(refusal(answer(fields))).isEqualTo(Refusal.TOO_OLD);
  }

  @Test
  void more_signatures_than_anybody_needs_are_not_looked_at() {
    List<String> inputs = new ArrayList<>();
    List<String> signatures = new ArrayList<>();
    for (int i = 0; i <= MessageSignature.MOST; i++) {
      inputs.add("s" + i + "=();created=1;keyid=\"p\"");
      signatures.add("s" + i + "=:AAAA:");
    }
    Map<String, List<String>> fields = Map.of("signature-input", inputs, "signature", signatures);

    assertThat(refusal(SignedMessage.response(201, fields, BODY))).isEqualTo(Refusal.TOO_BIG);
  }

  @Test
  void bodies_and_fields_over_the_limit_are_refused_before_anything_is_read() {
    assertThat(refusal(verifier.withMaxBody(BODY.length - 1), answer(signed())))
        .isEqualTo(Refusal.TOO_BIG);
    assertThat(verifier.withMaxBody(BODY.length).verify(answer(signed())))
        .isInstanceOf(Attestation.Attested.class);
    Map<String, String> fields = signed();
    fields.put("signature", "x".repeat(20_000));
    assertThat(refusal(answer(fields))).isEqualTo(Refusal.TOO_BIG);
  }

  @Test
  void a_body_shorter_than_its_length_was_cut() {
    Map<String, String> fields = signed();
    fields.put("content-length", Integer.toString(BODY.length + 1));

    assertThat(refusal(answer(fields))).isEqualTo(Refusal.CUT);
  }

  @Test
  void what_a_signature_covers_and_nobody_can_rebuild_is_refused() {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);

    assertThat(
            refusal(
                answer(
                    SIGNER.signLines(
                        Map.of("\"@status\"", "201", "\"@method\"", "POST"), all, Signer.at(NOW)))))
        .isEqualTo(Refusal.COVERS_UNKNOWN);
    Map<String, String> gone = signed();
    gone.remove("holdfast-epoch");
    assertThat(refusal(answer(gone))).isEqualTo(Refusal.COVERS_UNKNOWN);
  }

  @Test
  void a_line_break_in_a_signed_field_speaks_for_nothing() {
    Map<String, String> fields = new LinkedHashMap<>(EFFECT.fields());
    fields.put("X-Note", "one\n\"holdfast-epoch\": 9");

    assertThat(refusal(answer(SIGNER.answer(201, fields, BODY, NOW))))
        .isEqualTo(Refusal.COVERS_UNKNOWN);
  }

  @Test
  void an_answer_may_cover_the_request_that_it_answers() {
    assertThat(verifier.verify(answer(coveringRequest("POST")).answering(post())))
        .isInstanceOf(Attestation.Attested.class);
    assertThat(refusal(answer(coveringRequest("PUT")).answering(post())))
        .isEqualTo(Refusal.SIGNATURE_INVALID);
    assertThat(refusal(answer(coveringRequest("POST")))).isEqualTo(Refusal.COVERS_UNKNOWN);
  }

  private static SignedMessage post() {
    return SignedMessage.request(
        "POST", URI.create("https://up.example/exports"), Map.of(), new byte[0]);
  }

  private static Map<String, String> coveringRequest(String method) {
    return SIGNER.signLines(
        Map.of("\"@status\"", "201", "\"@method\";req", method),
        Signer.withDigest(EFFECT.fields(), BODY),
        Signer.at(NOW));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "=",
        "sig",
        "sig=",
        "sig=1",
        "sig=(",
        "sig=()",
        "sig=();keyid=\"now\"",
        "sig=();created=1",
        "sig=();created=\"1\";keyid=\"now\"",
        "sig=();created=1;keyid=now",
        "sig=();created=1;keyid=\"\"",
        "sig=();created=1.5;keyid=\"n\"",
        "sig=(\"\u00e4\")",
        "\u0000"
      })
  void a_field_of_parameters_that_is_none_is_refused(String input) {
    Map<String, String> fields = signed();
    fields.put("signature-input", input);

    assertThat(refusal(answer(fields))).isEqualTo(Refusal.MALFORMED);
  }

  @Test
  void a_component_that_is_covered_twice_or_is_no_name_is_refused() {
    for (String odd : List.of("(\"@status\" \"@status\"", "(1 \"@status\"")) {
      Map<String, String> fields = signed();
      fields.compute(
          "signature-input", (name, own) -> String.valueOf(own).replace("(\"@status\"", odd));

      assertThat(refusal(answer(fields))).as(odd).isEqualTo(Refusal.MALFORMED);
    }
  }
}
