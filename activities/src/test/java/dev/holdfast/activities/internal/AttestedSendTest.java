package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.UpstreamUnverifiedException;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.MessageSignatureVerifier;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.activities.evidence.Signer;
import dev.holdfast.ledger.EvidenceGrade;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the upstream must sign, an answer means what it signed and nothing else. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttestedSendTest {
  private static final byte[] BODY = "a document".getBytes(UTF_8);
  private static final Signer SIGNER = Signer.ed25519("now");

  private final OpenEffect effect =
      OpenEffect.attested(MessageSignatureVerifier.of(List.of(SIGNER.key()), Clock.systemUTC()));

  @Test
  void a_signed_answer_is_attested() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(SigningUpstream.signing(SIGNER, 201, BODY))) {
      send(upstream);

      assertThat(grade()).isEqualTo(EvidenceGrade.ATTESTED);
    }
  }

  @Test
  void the_request_bears_the_fields_of_the_tuple_in_the_form_that_is_signed() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(SigningUpstream.signing(SIGNER, 201, BODY))) {
      send(upstream);

      EffectTuple asked =
          EffectTuple.of(name -> Optional.ofNullable(upstream.seen().getFirst().getFirst(name)));
      assertThat(asked.tuple().scope()).isEqualTo(effect.scope().holder().reservation().scope());
      assertThat(asked.tuple().operation())
          .isEqualTo(effect.scope().holder().reservation().operation());
      assertThat(asked.tuple().generation().value()).isEqualTo(1);
      assertThat(asked.dispatch()).isEmpty();
    }
  }

  @Test
  void without_that_demand_the_request_tells_the_upstream_nothing_of_the_operation()
      throws IOException {
    OpenEffect plain = OpenEffect.of("export");
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      plain.run(open -> open.send(HttpUpstream.client(), upstream.post()));

      assertThat(upstream.seen().getFirst().keySet()).noneMatch(name -> name.startsWith("Holdf"));
      Map<String, String> fields = plain.run(open -> open.tupleFields());
      assertThat(fields).isEmpty();
    }
  }

  @Test
  void an_echo_of_the_tuple_is_no_evidence() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(SigningUpstream.echoing(200, BODY))) {
      assertThat(unverified(upstream)).isEqualTo("unsigned");
      assertThat(effect.state()).isInstanceOf(DispatchState.Unverified.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {201, 400, 422, 401, 429})
  void an_answer_that_nobody_signed_means_nothing_whether_yes_or_no(int status) throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(status, BODY)) {
      assertThat(unverified(upstream)).isEqualTo("unsigned");
    }
  }

  @Test
  void a_status_that_says_nothing_is_the_reason_though_nobody_signed_it() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(503, BODY)) {
      assertThat(unverified(upstream)).isEqualTo("status_503");
    }
  }

  @Test
  void a_signed_no_is_a_no() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(SigningUpstream.signing(SIGNER, 422, BODY))) {
      assertThat(catchThrowable(() -> send(upstream)))
          .isInstanceOf(UpstreamRejectedException.class);
      assertThat(effect.state()).isInstanceOf(DispatchState.Rejected.class);
    }
  }

  // case H5
  @ParameterizedTest
  @CsvSource({
    "Holdfast-Scope, :b3RoZXI=:, other_scope",
    "Holdfast-Operation, :ZWZmZWN0OmVs:, other_operation",
    "Holdfast-Fingerprint, fp2=:H1i5FFsk0QjXrDiIcziz6jIpgzucHkGCUDQ/kHv9EEc=:, other_fingerprint",
    "Holdfast-Generation, 0, other_generation",
    "Holdfast-Generation, 2, other_generation",
    "Holdfast-Epoch, 1, other_epoch",
    "Holdfast-Dispatch, :dXBsb2Fk:, other_dispatch"
  })
  void a_signature_over_another_tuple_is_refused_by_the_part_that_differs(
      String field, String value, String reason) throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(SigningUpstream.signingAnother(SIGNER, 201, BODY, field, value))) {
      assertThat(unverified(upstream)).isEqualTo(reason);
    }
  }

  // case H5
  @Test
  void the_right_generation_echoed_over_a_signature_of_another_one_is_refused() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange -> {
              Map<String, String> older = SigningUpstream.asked(exchange);
              String right = older.put("Holdfast-Generation", "0");
              Map<String, String> signed = SIGNER.answer(201, older, BODY, Instant.now());
              signed.put("holdfast-generation", right);
              SigningUpstream.send(exchange, 201, BODY, signed);
            })) {
      assertThat(unverified(upstream)).isEqualTo("signature_invalid");
    }
  }

  @Test
  void the_signed_answer_to_one_dispatch_cannot_stand_for_another() throws IOException {
    Map<String, String> kept = new TreeMap<>();
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange -> {
              if (kept.isEmpty()) {
                kept.putAll(
                    SIGNER.answer(201, SigningUpstream.asked(exchange), BODY, Instant.now()));
              }
              SigningUpstream.send(exchange, 201, BODY, kept);
            })) {
      effect.run(
          open -> {
            open.send("upload", HttpUpstream.client(), upstream.post());
            assertThat(
                    catchThrowable(
                        () -> open.send("publish", HttpUpstream.client(), upstream.post())))
                .isInstanceOfSatisfying(
                    UpstreamUnverifiedException.class,
                    e -> assertThat(e.reason()).isEqualTo("other_dispatch"));
            return "";
          });
    }
  }

  @Test
  void several_signed_answers_are_attested_together() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(SigningUpstream.signing(SIGNER, 201, BODY))) {
      effect.run(
          open -> {
            open.send("upload", HttpUpstream.client(), upstream.post());
            return open.send("publish", HttpUpstream.client(), upstream.post());
          });

      assertThat(grade()).isEqualTo(EvidenceGrade.ATTESTED);
    }
  }

  @Test
  void a_field_of_the_tuple_in_the_authors_request_is_refused() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      HttpRequest own =
          HttpRequest.newBuilder(upstream.post(), (name, value) -> true)
              .header("Holdfast-Epoch", "7")
              .build();

      assertThat(catchThrowable(() -> effect.run(open -> open.send(HttpUpstream.client(), own))))
          .isInstanceOf(ApplicationFailure.class)
          .hasMessageContaining("Holdfast-Epoch");
      assertThat(upstream.seen()).isEmpty();
    }
  }

  @Test
  void without_http_the_author_shows_the_message_that_was_signed() {
    record Reply(int status, Map<String, String> fields) {}

    effect.run(
        open -> {
          Map<String, String> asked = open.tupleFields();
          return open.dispatch(
              key -> new Reply(200, SIGNER.answer(200, asked, BODY, Instant.now())),
              Evidence.of(Reply::status, reply -> BODY)
                  .withMessage(
                      reply ->
                          SignedMessage.response(reply.status(), lines(reply.fields()), BODY)));
        });

    assertThat(grade()).isEqualTo(EvidenceGrade.ATTESTED);
  }

  @Test
  void a_message_that_the_author_does_not_show_is_unsigned() {
    assertThat(
            catchThrowable(
                () ->
                    effect.run(
                        open ->
                            open.dispatch(
                                key -> 200, Evidence.of(status -> status, status -> BODY)))))
        .isInstanceOfSatisfying(
            UpstreamUnverifiedException.class, e -> assertThat(e.reason()).isEqualTo("unsigned"));
  }

  @Test
  void a_verifier_that_throws_proves_nothing() throws IOException {
    EvidenceVerifier broken =
        message -> {
          throw new IllegalStateException("S3CR3T");
        };
    OpenEffect unlucky = OpenEffect.attested(broken);
    try (HttpUpstream upstream =
        HttpUpstream.answering(SigningUpstream.signing(SIGNER, 201, BODY))) {
      Throwable thrown =
          catchThrowable(
              () -> unlucky.run(open -> open.send(HttpUpstream.client(), upstream.post())));

      assertThat(thrown)
          .isInstanceOfSatisfying(
              UpstreamUnverifiedException.class,
              e -> assertThat(e.reason()).isEqualTo("verifier_threw"))
          .hasNoCause();
    }
  }

  private static Map<String, List<String>> lines(Map<String, String> fields) {
    return fields.entrySet().stream()
        .collect(Collectors.toMap(Map.Entry::getKey, field -> List.of(field.getValue())));
  }

  private void send(HttpUpstream upstream) {
    effect.run(open -> open.send(HttpUpstream.client(), upstream.post()));
  }

  private String unverified(HttpUpstream upstream) {
    return ((UpstreamUnverifiedException) catchThrowable(() -> send(upstream))).reason();
  }

  private EvidenceGrade grade() {
    return ((DispatchState.Verified) effect.state()).response().grade();
  }
}
