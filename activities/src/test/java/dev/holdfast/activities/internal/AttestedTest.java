package dev.holdfast.activities.internal;

import static dev.holdfast.activities.Reconciled.happened;
import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.MessageSignatureVerifier;
import dev.holdfast.activities.evidence.Signer;
import dev.holdfast.activities.evidence.VerificationKey;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a method that demands signatures leaves in the ledger, by way of a worker. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttestedTest {
  private static final byte[] BODY = "a document".getBytes(UTF_8);
  private static final Signer SIGNER = Signer.ed25519("now");
  private static final Signer RETIRED = Signer.ed25519("then");
  private static final EvidenceVerifier VERIFIER =
      MessageSignatureVerifier.of(List.of(SIGNER.key(), retired(RETIRED.key())), Clock.systemUTC())
          .withMaxBody(64);

  private final EmbeddedLedger ledger;
  private final EffectsBed bed;

  AttestedTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new EffectsBed(ledger);
  }

  private static VerificationKey retired(VerificationKey key) {
    return key.retiredAt(Instant.now().minusSeconds(1));
  }

  /** Its upstream must sign. */
  @ActivityInterface
  public interface Exports {
    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        evidence = EvidenceRule.ATTESTED)
    String export(@OperationKey String key, String request);
  }

  /** Sends to one upstream. */
  static final class ExportsImpl implements Exports {
    private final HttpUpstream upstream;

    ExportsImpl(HttpUpstream upstream) {
      this.upstream = upstream;
    }

    @Override
    public String export(String key, String request) {
      return posted(upstream);
    }
  }

  private static String posted(HttpUpstream upstream) {
    var response = FencedEffect.current().send(HttpUpstream.client(), upstream.post());
    return new String(response.body(), UTF_8);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void a_signed_success_has_a_receipt_of_grade_attested() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(SigningUpstream.signing(SIGNER, 201, BODY))) {
      start(upstream);

      assertThat(bed.call("Export", "signed", 1)).isEqualTo("a document");
      assertThat(bed.call("Export", "signed", 1)).isEqualTo("a document");
      assertThat(source("Export:signed")).isEqualTo("attested");
      assertThat(upstream.seen()).hasSize(1);
    }
  }

  @ParameterizedTest
  @MethodSource("badEvidence")
  void bad_evidence_is_refused_by_name_and_stored_and_changes_nothing_else(
      String reason, HttpUpstream.Answer answer) throws IOException {
    String key = "bad-" + reason;
    try (HttpUpstream upstream = HttpUpstream.answering(answer)) {
      start(upstream);

      // what the worker threw is the cause of what the workflow makes of it
      ApplicationFailure failure = innermost(Failures.of(() -> bed.call("Export", key, 1)));

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
      assertThat(failure.getDetails().get(0, String.class)).isEqualTo(reason);
      assertThat(bed.state("Export:" + key)).isEqualTo("unknown, 1 open");
      assertThat(
              ledger
                  .sql()
                  .fetch(OBSERVATION, OBSERVATION.OPERATION_ID.eq("Export:" + key))
                  .map(row -> row.get(OBSERVATION.KIND) + " " + row.get(OBSERVATION.REASON)))
          .containsExactly("timed_out " + reason);
      assertThat(ledger.sql().fetchCount(RECEIPT, RECEIPT.OPERATION_ID.eq("Export:" + key)))
          .isZero();
    }
  }

  private static ApplicationFailure innermost(ApplicationFailure failure) {
    ApplicationFailure inner = failure;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      inner = cause instanceof ApplicationFailure found ? found : inner;
    }
    return inner;
  }

  static Stream<Arguments> badEvidence() {
    byte[] big = "x".repeat(65).getBytes(UTF_8);
    Signer stranger = Signer.ed25519("stranger");
    return Stream.of(
        Arguments.of("unsigned", SigningUpstream.echoing(201, BODY)),
        Arguments.of("retired_key", SigningUpstream.signing(RETIRED, 201, BODY)),
        Arguments.of("unknown_key", SigningUpstream.signing(stranger, 201, BODY)),
        Arguments.of("too_big", SigningUpstream.signing(SIGNER, 201, big)),
        Arguments.of(
            "signature_invalid", SigningUpstream.signing(Signer.ed25519("now"), 201, BODY)),
        Arguments.of(
            "other_scope",
            SigningUpstream.signingAnother(SIGNER, 201, BODY, "Holdfast-Scope", ":b3RoZXI=:")),
        Arguments.of("too_old", signedAt(Instant.now().minusSeconds(600))),
        Arguments.of("from_future", signedAt(Instant.now().plusSeconds(600))),
        Arguments.of(
            "malformed", tampered(fields -> fields.put("signature", "sig=:" + "A".repeat(86)))),
        Arguments.of("covers_unknown", tampered(fields -> fields.remove("holdfast-epoch"))));
  }

  private static HttpUpstream.Answer signedAt(Instant created) {
    return exchange ->
        SigningUpstream.send(
            exchange,
            201,
            BODY,
            SIGNER.answer(201, SigningUpstream.asked(exchange), BODY, created));
  }

  private static HttpUpstream.Answer tampered(Consumer<Map<String, String>> change) {
    return SigningUpstream.tampered(
        SIGNER,
        201,
        BODY,
        fields -> {
          change.accept(fields);
          return fields;
        });
  }

  @Test
  void after_bad_evidence_the_next_attempt_completes_with_good_one() throws IOException {
    HttpUpstream.Answer good = SigningUpstream.signing(SIGNER, 201, BODY);
    AtomicInteger asked = new AtomicInteger();
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange -> {
              if (asked.incrementAndGet() == 1) {
                SigningUpstream.echoing(201, BODY).write(exchange);
              } else {
                good.write(exchange);
              }
            })) {
      start(upstream);

      assertThat(bed.call("Export", "twice", 2)).isEqualTo("a document");
      assertThat(bed.state("Export:twice")).startsWith("completed");
    }
  }

  /** Its upstream must sign, and can be asked. */
  @ActivityInterface
  public interface Shares {
    @Fenced(
        upstream = UpstreamContract.VERIFIABLE,
        inFlight = "PT1S",
        evidence = EvidenceRule.ATTESTED)
    String share(@OperationKey String key, String request);
  }

  /** Sends to one upstream. */
  private record SharesImpl(HttpUpstream upstream) implements Shares {
    @Override
    public String share(String key, String request) {
      return posted(upstream);
    }
  }

  @Test
  void what_a_reconciler_finds_is_of_a_grade_of_its_own_and_needs_no_signature()
      throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(503, BODY)) {
      bed.start(
          options ->
              options
                  .addEvidenceVerifier(Shares.class, VERIFIER)
                  .addReconciler(
                      Shares.class, (Reconciles<String>) asked -> happened("found", 200, BODY)),
          new SharesImpl(upstream));

      assertThat(bed.call("Share", "asked", 2)).isEqualTo("found");

      assertThat(upstream.seen()).hasSize(1);
      assertThat(source("Share:asked")).isEqualTo("reconciled");
    }
  }

  private @Nullable String source(String operation) {
    return ledger
        .sql()
        .fetchSingle(RECEIPT, RECEIPT.OPERATION_ID.eq(operation))
        .get(RECEIPT.SOURCE);
  }

  @Test
  void two_verifiers_of_one_upstream_stop_the_start() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      assertThatThrownBy(
              () ->
                  bed.start(
                      options ->
                          options
                              .addEvidenceVerifier(Exports.class, VERIFIER)
                              .addEvidenceVerifier(Exports.class, VERIFIER),
                      new ExportsImpl(upstream)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("two evidence verifiers");
    }
  }

  private void start(HttpUpstream upstream) {
    bed.start(
        options -> options.addEvidenceVerifier(Exports.class, VERIFIER), new ExportsImpl(upstream));
  }
}
