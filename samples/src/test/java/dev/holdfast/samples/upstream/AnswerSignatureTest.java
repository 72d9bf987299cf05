package dev.holdfast.samples.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.evidence.Attestation;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.KeyId;
import dev.holdfast.activities.evidence.MessageSignatureVerifier;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.activities.evidence.VerificationKey;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.Tuple;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AnswerSignatureTest {
  private static final EffectTuple EFFECT =
      new EffectTuple(
          new Tuple(
              new Scope("tenant"),
              new OperationId("Export", "e-1"),
              new RequestFingerprint("fp1", Sha256.ofUtf8("request")),
              new Generation(0),
              new Epoch(0)),
          "");

  private final Upstream exporter;
  private final Caller caller;
  private final MessageSignatureVerifier verifier =
      MessageSignatureVerifier.of(
          List.of(VerificationKey.ed25519(new KeyId(SigningKey.ID), SigningKey.published())),
          Clock.systemUTC());

  AnswerSignatureTest() throws Exception {
    this.exporter = DocumentExporter.start(0);
    this.caller = new Caller(exporter.uri());
  }

  @AfterEach
  void close() {
    caller.close();
    exporter.close();
  }

  @Test
  void an_answer_is_signed_with_what_the_customer_asked_to_have_signed() throws Exception {
    assertThat(verify(export("k-1")))
        .isInstanceOfSatisfying(
            Attestation.Attested.class,
            attested -> {
              assertThat(attested.effect()).isEqualTo(EFFECT);
              assertThat(attested.status()).isEqualTo(201);
            });
  }

  @Test
  void a_kept_answer_is_signed_again_and_a_refusal_too() throws Exception {
    String kept = export("k-2").body();

    assertThat(export("k-2").body()).isEqualTo(kept);
    assertThat(verify(export("k-2"))).isInstanceOf(Attestation.Attested.class);
    exporter.behave(new Behaviour.Status(422, false));
    assertThat(verify(export("k-3")))
        .isInstanceOfSatisfying(
            Attestation.Attested.class, attested -> assertThat(attested.status()).isEqualTo(422));
  }

  @Test
  void who_asks_for_nothing_gets_a_signature_that_says_of_no_operation_anything() throws Exception {
    HttpResponse<String> plain = caller.export("k-4");

    assertThat(plain.headers().firstValue("Signature")).isPresent();
    assertThat(verify(plain)).isInstanceOf(Attestation.Refused.class);
  }

  private HttpResponse<String> export(String key) throws Exception {
    HttpRequest.Builder request = caller.exporting(key, Caller.DOCUMENT);
    EFFECT.fields().forEach(request::header);
    return caller.send(request.build());
  }

  private Attestation verify(HttpResponse<String> response) {
    return verifier.verify(
        SignedMessage.response(
            response.statusCode(), response.headers().map(), response.body().getBytes(UTF_8)));
  }
}
