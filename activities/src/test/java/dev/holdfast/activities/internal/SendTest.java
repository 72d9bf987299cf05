package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.activities.AnswerRules;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamRefusedException;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.UpstreamUnverifiedException;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Sha256;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SendTest {
  private static final byte[] BODY = "S3CR3T-7f document".getBytes(UTF_8);

  private final OpenEffect effect = OpenEffect.of("export");

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204, 226})
  void a_2xx_is_witnessed_with_the_digest_of_its_bytes(int status) throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(status, BODY)) {
      HttpResponse<byte[]> response = send(upstream);

      DispatchState.Verified verified = (DispatchState.Verified) effect.state();
      assertThat(verified.response().status()).isEqualTo(status);
      assertThat(verified.response().digest()).isEqualTo(Sha256.of(response.body()));
      assertThat(verified.response().grade()).isEqualTo(EvidenceGrade.WITNESSED);
      assertThat(verified.response().effect().value())
          .isEqualTo(effect.scope().dispatch().key().value());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 402, 404, 410, 422})
  void a_definite_no_is_kept_as_rejected(int status) throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(status, BODY)) {
      assertThatThrownBy(() -> send(upstream))
          .isInstanceOfSatisfying(
              UpstreamRejectedException.class, e -> assertThat(e.status()).isEqualTo(status));
      assertThat(effect.state())
          .isInstanceOfSatisfying(
              DispatchState.Rejected.class,
              s -> assertThat(s.failure().status()).isEqualTo(status));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 407, 429})
  void nothing_done_is_kept_as_refused(int status) throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(status, BODY)) {
      assertThatThrownBy(() -> send(upstream)).isInstanceOf(UpstreamRefusedException.class);
      assertThat(effect.state())
          .isInstanceOfSatisfying(
              DispatchState.Refused.class, s -> assertThat(s.status()).isEqualTo(status));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308, 405, 408, 409, 425, 500, 502, 503, 504})
  void what_says_nothing_leaves_the_outcome_unknown(int status) throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(status, BODY, "Location", "/elsewhere")) {
      assertUnknown(() -> send(upstream), "status_" + status);
      assertThat(upstream.seen()).hasSize(1);
    }
  }

  @Test
  void the_author_moves_a_status() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(409, BODY)) {
      effect.run(
          e ->
              e.send(
                  HttpUpstream.client(), upstream.post(), AnswerRules.standard().succeeded(409)));

      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }
  }

  @Test
  void key_and_token_go_with_the_request() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      send(upstream);

      assertThat(upstream.seen().getFirst().get("Idempotency-Key"))
          .containsExactly(effect.scope().dispatch().key().value());
      assertThat(upstream.seen().getFirst().get("Fencing-Token"))
          .containsExactly(Long.toString(OpenEffect.TOKEN));
      assertThat(effect.scope().keyRead()).isTrue();
    }
  }

  @Test
  void a_request_sent_again_is_not_waited_for_past_the_life_of_its_key() {
    Duration usual = Duration.ofSeconds(30);

    assertThat(effect.scope().requestMayLast()).isGreaterThan(usual.multipliedBy(2));
    assertThat(OpenEffect.again("export", Duration.ofSeconds(10)).scope().requestMayLast())
        .isGreaterThan(usual)
        .isLessThanOrEqualTo(usual.plusSeconds(10));
    assertThat(OpenEffect.again("hurriedExport", Duration.ofDays(1)).scope().requestMayLast())
        .isEqualTo(Duration.ofMillis(300));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Idempotency-Key", "idempotency-key", "Fencing-Token"})
  void headers_of_the_lease_that_the_author_set_are_refused_before_the_dispatch(String header)
      throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      HttpRequest request =
          HttpRequest.newBuilder(upstream.uri()).header(header, "S3CR3T-7f").GET().build();

      assertNotProtectable(
          () -> effect.run(e -> e.send(HttpUpstream.client(), request)), "header-set");
      assertThat(upstream.seen()).isEmpty();
    }
  }

  @Test
  void a_client_that_follows_redirects_is_refused_before_the_dispatch() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(302, BODY, "Location", "/elsewhere");
        HttpClient following =
            HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build()) {
      assertNotProtectable(() -> effect.run(e -> e.send(following, upstream.post())), "redirects");
      assertThat(upstream.seen()).isEmpty();
    }
  }

  @Test
  void a_method_of_another_contract_cannot_send() throws IOException {
    OpenEffect booking = OpenEffect.of("book");
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      assertThatThrownBy(() -> booking.run(e -> e.send(HttpUpstream.client(), upstream.post())))
          .isInstanceOfSatisfying(
              ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("NotProtectable"));
      assertThat(upstream.seen()).isEmpty();
    }
  }

  @Test
  void a_second_dispatch_is_refused_and_the_first_one_stands() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      assertThatThrownBy(
              () ->
                  effect.run(
                      e -> {
                        e.send(HttpUpstream.client(), upstream.post());
                        return e.send(HttpUpstream.client(), upstream.post());
                      }))
          .hasMessageContaining("second dispatch");
      assertThat(upstream.seen()).hasSize(1);
      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }
  }

  @Test
  void nothing_is_sent_when_the_lease_is_over() throws IOException {
    OpenEffect late = OpenEffect.leasedFor(Duration.ZERO);
    try (HttpUpstream upstream = HttpUpstream.answering(200, BODY)) {
      assertThatThrownBy(() -> late.run(e -> e.send(HttpUpstream.client(), upstream.post())))
          .isInstanceOf(NotDispatchedException.class);
      assertThat(upstream.seen()).isEmpty();
      assertThat(late.state()).isInstanceOf(DispatchState.Undispatched.class);
    }
  }

  @Test
  void an_answer_that_comes_too_late_is_unknown() throws IOException {
    CountDownLatch closed = new CountDownLatch(1);
    try (HttpUpstream upstream = HttpUpstream.answering(exchange -> await(closed))) {
      HttpRequest hurried =
          HttpRequest.newBuilder(upstream.post(), (n, v) -> true)
              .timeout(Duration.ofMillis(200))
              .build();

      assertUnknown(
          () -> effect.run(e -> e.send(HttpUpstream.client(), hurried)),
          "lost_answer:HttpTimeoutException");
      closed.countDown();
    }
  }

  @Test
  void an_answer_whose_end_does_not_come_is_unknown() throws IOException {
    OpenEffect hurried = OpenEffect.of("hurriedExport");
    CountDownLatch closed = new CountDownLatch(1);
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange -> {
              exchange.sendResponseHeaders(200, 100);
              exchange.getResponseBody().write(BODY);
              exchange.getResponseBody().flush();
              await(closed);
            })) {
      Throwable thrown =
          catchThrowable(() -> hurried.run(e -> e.send(HttpUpstream.client(), upstream.post())));
      closed.countDown();

      assertThat(thrown).isInstanceOf(UpstreamUnverifiedException.class);
      assertThat(hurried.state()).isInstanceOf(DispatchState.Unverified.class);
    }
  }

  @Test
  void an_interrupt_leaves_the_outcome_unknown_and_the_flag_set() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange -> {
              asked.countDown();
              await(closed);
            })) {
      Thread activity = Thread.currentThread();
      Thread.startVirtualThread(
          () -> {
            await(asked);
            activity.interrupt();
          });

      Throwable thrown = catchThrowable(() -> send(upstream));
      boolean interrupted = Thread.interrupted();
      closed.countDown();

      assertThat(thrown).isInstanceOf(UpstreamUnverifiedException.class);
      assertThat(interrupted).isTrue();
      assertThat(effect.state()).isEqualTo(unverified("interrupted"));
    }
  }

  @Test
  void a_huge_body_is_taken_whole() throws IOException {
    byte[] huge = new byte[48 * 1024 * 1024];
    huge[huge.length - 1] = 1;
    try (HttpUpstream upstream = HttpUpstream.answering(200, huge)) {
      assertThat(send(upstream).body()).hasSize(huge.length);
      assertThat(((DispatchState.Verified) effect.state()).response().digest())
          .isEqualTo(Sha256.of(huge));
    }
  }

  @Test
  void catching_the_exception_changes_nothing_of_what_was_kept() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(404, BODY)) {
      effect.run(e -> catchThrowable(() -> e.send(HttpUpstream.client(), upstream.post())));

      assertThat(effect.state()).isInstanceOf(DispatchState.Rejected.class);
    }
  }

  // case E7
  @ParameterizedTest
  @ValueSource(ints = {200, 302, 404, 429, 503})
  void nothing_of_the_exchange_is_in_what_is_thrown_or_kept(int status) throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            status, BODY, "Set-Cookie", "S3CR3T-7f", "Content-Digest", "S3CR3T-7f ü")) {
      Throwable thrown = catchThrowable(() -> send(upstream));

      for (Throwable t = thrown; t != null; t = t.getCause()) {
        assertThat(t.toString()).doesNotContain("S3CR3T").doesNotContain("hf1-");
      }
      assertThat(effect.state().toString()).doesNotContain("S3CR3T");
    }
  }

  private HttpResponse<byte[]> send(HttpUpstream upstream) {
    return effect.run(e -> e.send(HttpUpstream.client(), upstream.post()));
  }

  private void assertUnknown(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            UpstreamUnverifiedException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    assertThat(effect.state()).isEqualTo(unverified(reason));
  }

  private DispatchState unverified(String reason) {
    return new DispatchState.Unverified(effect.scope().assumeDispatched(), reason);
  }

  private void assertNotProtectable(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, String code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo("NotProtectable");
              assertThat(e.isNonRetryable()).isTrue();
              assertThat(e.getDetails().get(0, String.class)).isEqualTo(code);
              assertThat(e.toString()).doesNotContain("S3CR3T");
            });
    assertThat(effect.state()).isInstanceOf(DispatchState.Undispatched.class);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
