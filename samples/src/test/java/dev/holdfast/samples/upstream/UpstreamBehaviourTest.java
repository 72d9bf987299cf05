package dev.holdfast.samples.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UpstreamBehaviourTest {

  private static final IdempotencyKey KEY = new IdempotencyKey("k-1");

  private Upstream upstream;
  private Caller caller;

  @BeforeEach
  void start() throws IOException {
    upstream = DocumentExporter.start(0);
    caller = new Caller(upstream.uri());
  }

  @AfterEach
  void stop() {
    caller.close();
    upstream.close();
  }

  @Test
  void a_late_answer_comes_after_the_effect_which_a_repeated_key_learns_at_once() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    upstream.behave(
        new Behaviour.AnswerLate(
            () -> {
              done.countDown();
              go.await();
            }));

    CompletableFuture<HttpResponse<String>> late = caller.exportAsync("k-1");
    done.await();
    assertThat(upstream.effectsOf(KEY)).isEqualTo(1);
    HttpResponse<String> repeated = caller.export("k-1");
    assertThat(repeated.statusCode()).isEqualTo(201);
    assertThat(late).isNotDone();

    go.countDown();
    assertThat(late.join().body()).isEqualTo(repeated.body());
    assertThat(upstream.effectsOf(KEY)).isEqualTo(1);
  }

  @Test
  void a_lost_answer_leaves_an_effect_whose_answer_a_repeated_key_gets() throws Exception {
    upstream.behave(new Behaviour.LoseAnswer());

    assertThatExceptionOfType(IOException.class).isThrownBy(() -> caller.export("k-1"));
    assertThat(upstream.effectsOf(KEY)).isEqualTo(1);
    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
    assertThat(upstream.effectsOf(KEY)).isEqualTo(1);
  }

  @Test
  void a_cut_connection_leaves_no_effect() throws Exception {
    upstream.behave(new Behaviour.CutConnection());

    assertThatExceptionOfType(IOException.class).isThrownBy(() -> caller.export("k-1"));
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(upstream.effects()).isEmpty();
    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 402, 404, 409, 410, 422, 429, 500, 503, 302, 202})
  void a_status_comes_without_an_effect_and_with_a_true_digest(int code) throws Exception {
    upstream.behave(new Behaviour.Status(code, false));

    HttpResponse<String> answer = caller.export("k-1");

    assertThat(answer.statusCode()).isEqualTo(code);
    Caller.assertTrueDigest(answer);
    assertThat(upstream.effects()).isEmpty();
  }

  @Test
  void a_status_can_hide_an_effect_whose_true_answer_is_kept() throws Exception {
    upstream.behave(new Behaviour.Status(503, true));

    assertThat(caller.export("k-1").statusCode()).isEqualTo(503);
    assertThat(upstream.effectsOf(KEY)).isEqualTo(1);
    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
    assertThat(upstream.effectsOf(KEY)).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 199, 204, 205, 304, 600})
  void a_status_that_carries_no_body_is_refused(int code) {
    assertThatIllegalArgumentException().isThrownBy(() -> new Behaviour.Status(code, false));
  }

  @Test
  void a_lying_digest_stands_over_the_true_answer() throws Exception {
    upstream.behave(new Behaviour.LieAboutDigest());

    HttpResponse<String> lying = caller.export("k-1");

    assertThat(lying.statusCode()).isEqualTo(201);
    assertThat(lying.headers().firstValue("Content-Digest"))
        .get()
        .asString()
        .matches("sha-256=:[A-Za-z0-9+/]{43}=:")
        .isNotEqualTo(Digests.contentDigestOf(lying.body()));
    HttpResponse<String> repeated = caller.export("k-1");
    assertThat(repeated.body()).isEqualTo(lying.body());
    Caller.assertTrueDigest(repeated);
    assertThat(upstream.effectsOf(KEY)).isEqualTo(1);
  }

  @Test
  void behaviours_are_used_up_in_order_one_request_each() throws Exception {
    upstream.behave(new Behaviour.Status(503, false), new Behaviour.Normal());
    upstream.behave(new Behaviour.Status(500, false));

    assertThat(caller.export("k-1").statusCode()).isEqualTo(503);
    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
    assertThat(caller.export("k-1").statusCode()).isEqualTo(500);
    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
  }

  @Test
  void a_calmed_upstream_forgets_what_was_to_come() throws Exception {
    upstream.behave(new Behaviour.Status(503, false), new Behaviour.CutConnection());

    upstream.calm();

    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
  }

  @Test
  void closing_ends_a_held_answer() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    upstream.behave(
        new Behaviour.StayInProgress(
            () -> {
              entered.countDown();
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
              }
            }));
    CompletableFuture<HttpResponse<String>> held = caller.exportAsync("k-1");
    entered.await();

    upstream.close();

    interrupted.await();
    assertThatExceptionOfType(CompletionException.class)
        .isThrownBy(held::join)
        .withCauseInstanceOf(IOException.class);
    assertThat(upstream.effects()).isEmpty();
  }
}
