package dev.holdfast.samples.upstream;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UpstreamKeysTest {

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
  void a_repeated_key_gets_the_first_answer_and_has_one_effect() throws Exception {
    HttpResponse<String> first = caller.export("k-1");
    HttpResponse<String> second = caller.export("k-1");

    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.body())
        .isEqualTo("{\"export\":\"exp-1\",\"document\":\"d-1\",\"format\":\"pdf\"}");
    Caller.assertTrueDigest(first);
    assertThat(second.statusCode()).isEqualTo(201);
    assertThat(second.body()).isEqualTo(first.body());
    Caller.assertTrueDigest(second);
    assertThat(upstream.effectsOf(new IdempotencyKey("k-1"))).isEqualTo(1);
    assertThat(upstream.requests()).isEqualTo(2);
  }

  @Test
  void another_key_is_another_effect_even_with_the_same_body() throws Exception {
    HttpResponse<String> first = caller.export("k-1");
    HttpResponse<String> second = caller.export("k-2");

    assertThat(second.body()).isNotEqualTo(first.body());
    assertThat(upstream.effects())
        .containsExactly(
            new Effect(new IdempotencyKey("k-1"), null),
            new Effect(new IdempotencyKey("k-2"), null));
  }

  @Test
  void a_quoted_key_is_the_same_key() throws Exception {
    caller.export("k-1");
    caller.export("\"k-1\"");

    assertThat(upstream.effects()).hasSize(1);
  }

  @Test
  void a_repeated_key_with_another_body_is_422_and_changes_nothing() throws Exception {
    HttpResponse<String> first = caller.export("k-1");
    HttpResponse<String> other = caller.export("k-1", "{\"document\": \"d-2\"}");

    assertThat(other.statusCode()).isEqualTo(422);
    Caller.assertTrueDigest(other);
    assertThat(caller.export("k-1").body()).isEqualTo(first.body());
    assertThat(upstream.effects()).hasSize(1);
  }

  @Test
  void a_key_in_progress_is_409_until_its_effect_is_done() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Hold hold =
        () -> {
          entered.countDown();
          go.await();
        };
    upstream.behave(new Behaviour.StayInProgress(hold));

    CompletableFuture<HttpResponse<String>> first = caller.exportAsync("k-1");
    entered.await();
    assertThat(caller.export("k-1").statusCode()).isEqualTo(409);
    assertThat(caller.export("k-1", "{\"document\": \"d-2\"}").statusCode()).isEqualTo(422);
    assertThat(upstream.effects()).isEmpty();

    go.countDown();
    assertThat(first.join().statusCode()).isEqualTo(201);
    assertThat(caller.export("k-1").body()).isEqualTo(first.join().body());
    assertThat(upstream.effects()).hasSize(1);
  }

  @Test
  void thirty_two_parallel_posts_of_one_key_have_one_effect() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> posts =
        IntStream.range(0, 32).mapToObj(i -> caller.exportAsync("k-1")).toList();

    List<HttpResponse<String>> answers = posts.stream().map(CompletableFuture::join).toList();

    String kept = caller.export("k-1").body();
    assertThat(upstream.effectsOf(new IdempotencyKey("k-1"))).isEqualTo(1);
    assertThat(upstream.requests()).isEqualTo(33);
    assertThat(answers).extracting(HttpResponse::statusCode).isSubsetOf(201, 409).contains(201);
    assertThat(
            answers.stream()
                .filter(answer -> answer.statusCode() == 201)
                .map(HttpResponse::body)
                .collect(toSet()))
        .containsExactly(kept);
  }

  @Test
  void thirty_two_parallel_keys_have_an_effect_each() {
    List<CompletableFuture<HttpResponse<String>>> posts =
        IntStream.range(0, 32).mapToObj(i -> caller.exportAsync("k-" + i)).toList();

    assertThat(posts.stream().map(CompletableFuture::join).map(HttpResponse::body).collect(toSet()))
        .hasSize(32);
    assertThat(upstream.effects()).extracting(Effect::key).doesNotHaveDuplicates().hasSize(32);
  }

  @Test
  void the_fencing_tokens_are_seen_with_the_effect_and_with_each_repetition() throws Exception {
    for (String token : List.of("7", "9")) {
      caller.send(caller.exporting("k-1", Caller.DOCUMENT).header("Fencing-Token", token).build());
    }

    IdempotencyKey key = new IdempotencyKey("k-1");
    assertThat(upstream.effects()).containsExactly(new Effect(key, new PresentedToken(7)));
    assertThat(upstream.tokensOf(key))
        .containsExactly(new PresentedToken(7), new PresentedToken(9));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "seven", "9223372036854775808"})
  void a_fencing_token_that_is_none_is_400(String token) throws Exception {
    HttpResponse<String> answer =
        caller.send(
            caller.exporting("k-1", Caller.DOCUMENT).header("Fencing-Token", token).build());

    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(upstream.effects()).isEmpty();
  }

  @Test
  void a_request_without_a_key_is_400() throws Exception {
    HttpResponse<String> answer = caller.call("POST", "/exports", Caller.DOCUMENT);

    assertThat(answer.statusCode()).isEqualTo(400);
    Caller.assertTrueDigest(answer);
    assertThat(upstream.effects()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"document\": 1}", "{\"document\": \"d\"} x"})
  void a_body_that_asks_for_nothing_is_400_and_leaves_the_key_free(String body) throws Exception {
    assertThat(caller.export("k-1", body).statusCode()).isEqualTo(400);
    assertThat(upstream.effects()).isEmpty();

    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
  }

  @Test
  void other_methods_and_paths_have_no_effect() throws Exception {
    assertThat(caller.call("GET", "/exports", "").statusCode()).isEqualTo(405);
    assertThat(caller.call("POST", "/exports/d-1", Caller.DOCUMENT).statusCode()).isEqualTo(404);
    assertThat(upstream.requests()).isZero();
  }

  @Test
  void the_publisher_answers_a_share_with_its_link() throws Exception {
    try (Upstream publisher = SharePublisher.start(0);
        Caller shares = new Caller(publisher.uri())) {
      HttpResponse<String> answer =
          shares.send(
              shares
                  .request("/shares")
                  .header("Idempotency-Key", "k-1")
                  .POST(BodyPublishers.ofString("{\"export\":\"exp-1\"}"))
                  .build());

      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.body())
          .isEqualTo(
              "{\"share\":\"shr-1\",\"link\":\"https://share.example/shr-1\","
                  + "\"export\":\"exp-1\",\"audience\":\"team\"}");
      Caller.assertTrueDigest(answer);
      assertThat(publisher.effectsOf(new IdempotencyKey("k-1"))).isEqualTo(1);
    }
  }
}
