package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What each way to dispatch leaves in the ledger, by way of a worker. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EffectsTest {
  private static final byte[] BODY = "a document".getBytes(UTF_8);

  private final EffectsBed bed;
  private final AtomicInteger attempts = new AtomicInteger();

  EffectsTest(EmbeddedLedger ledger) {
    this.bed = new EffectsBed(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void what_was_sent_has_a_receipt_with_status_and_digest_of_the_answer() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(201, BODY)) {
      bed.start(
          effect -> {
            HttpResponse<byte[]> response = effect.send(HttpUpstream.client(), upstream.post());
            return new String(response.body(), UTF_8);
          });

      assertThat(bed.call("Send", "sent", 1)).isEqualTo("a document");
      assertThat(bed.call("Send", "sent", 1)).isEqualTo("a document");
      assertThat(bed.receipt("Send:sent")).isEqualTo("201 " + Sha256.of(BODY).hex());
      assertThat(upstream.seen()).hasSize(1);
      assertThat(bed.counters().keyNotSent()).isZero();
    }
  }

  @Test
  void an_unclear_answer_is_asked_again_with_the_same_key_and_a_higher_token() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange ->
                exchange.sendResponseHeaders(attempts.incrementAndGet() == 1 ? 503 : 200, -1))) {
      bed.start(
          effect -> {
            var unused = effect.send(HttpUpstream.client(), upstream.post());
            return "sent";
          });

      assertThat(bed.call("Send", "unclear", 2)).isEqualTo("sent");
      assertThat(upstream.seen()).hasSize(2);
      assertThat(upstream.seen().get(0).getFirst("Idempotency-Key"))
          .isEqualTo(upstream.seen().get(1).getFirst("Idempotency-Key"));
      assertThat(token(upstream, 1)).isGreaterThan(token(upstream, 0));
    }
  }

  @Test
  void an_unclear_answer_leaves_its_attempt_open() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(503, BODY)) {
      bed.start(
          effect -> {
            var unused = effect.send(HttpUpstream.client(), upstream.post());
            return "sent";
          });

      ApplicationFailure failure = Failures.of(() -> bed.call("Send", "open", 1));

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
      assertThat(bed.state("Send:open")).isEqualTo("unknown, 1 open");
    }
  }

  @Test
  void a_request_that_never_left_closes_its_attempt() throws IOException {
    int closedPort;
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      closedPort = server.getLocalPort();
    }
    bed.start(
        effect -> {
          var unused =
              effect.send(HttpUpstream.client(), HttpUpstream.post(HttpUpstream.uri(closedPort)));
          return "sent";
        });

    ApplicationFailure failure = Failures.of(() -> bed.call("Send", "unsent", 1));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_REFUSED);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("connection-refused");
    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(bed.state("Send:unsent")).isEqualTo("unknown, 0 open");
  }

  @Test
  void a_definite_no_is_settled_as_failed() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(422, BODY)) {
      bed.start(
          effect -> {
            var unused = effect.send(HttpUpstream.client(), upstream.post());
            return "sent";
          });

      ApplicationFailure failure = Failures.of(() -> bed.call("Send", "rejected", 3));

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_REJECTED);
      assertThat(bed.state("Send:rejected")).isEqualTo("failed, 0 open");
      assertThat(upstream.seen()).hasSize(1);
    }
  }

  @Test
  void a_dispatch_that_never_read_its_key_keeps_its_receipt_and_is_counted() {
    bed.start(
        effect -> effect.dispatch(key -> "done", Evidence.of(done -> 200, d -> d.getBytes(UTF_8))));

    assertThat(bed.call("Send", "keyless", 1)).isEqualTo("done");
    assertThat(bed.state("Send:keyless")).isEqualTo("completed, 0 open");
    assertThat(bed.counters().keyNotSent()).isEqualTo(1);
  }

  @Test
  void where_the_result_is_the_evidence_its_payload_is_the_response() {
    bed.start(effect -> "told " + effect.upstreamKey().value().length());

    assertThat(bed.call("Tell", "told", 1)).isEqualTo("told 47");
    assertThat(bed.receipt("Tell:told")).isEqualTo("0 " + Sha256.ofUtf8("\"told 47\"").hex());
    assertThat(bed.counters().keyNotSent()).isZero();
  }

  @Test
  void where_the_result_is_the_evidence_an_exception_leaves_the_outcome_unknown() {
    bed.start(
        effect -> {
          throw new IllegalStateException("half way");
        });

    Failures.of(() -> bed.call("Tell", "untold", 1));

    assertThat(bed.state("Tell:untold")).isEqualTo("unknown, 1 open");
  }

  @Test
  void where_the_result_is_the_evidence_a_definite_no_is_settled() {
    bed.start(
        effect -> {
          throw new UpstreamRejectedException("no_such_account", 404);
        });

    Failures.of(() -> bed.call("Tell", "refused", 1));

    assertThat(bed.state("Tell:refused")).isEqualTo("failed, 0 open");
  }

  private static long token(HttpUpstream upstream, int request) {
    return Long.parseLong(upstream.seen().get(request).getFirst("Fencing-Token"));
  }
}
