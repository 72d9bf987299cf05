package dev.holdfast.samples.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UpstreamControlTest {

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
  void another_process_can_count_the_effects_of_each_key() throws Exception {
    caller.export("k-1");
    caller.export("k-1");
    caller.export("k-2");

    HttpResponse<String> counts = caller.call("GET", "/effects", "");

    assertThat(counts.statusCode()).isEqualTo(200);
    assertThat(counts.body())
        .isEqualTo("{\"effects\":2,\"requests\":3,\"byKey\":{\"k-1\":1,\"k-2\":1}}");
    Caller.assertTrueDigest(counts);
  }

  @Test
  void a_status_can_be_told_for_several_requests() throws Exception {
    tell("{\"behaviour\": \"status\", \"code\": 503, \"effect\": false, \"times\": 2}");

    assertThat(caller.export("k-1").statusCode()).isEqualTo(503);
    assertThat(caller.export("k-1").statusCode()).isEqualTo(503);
    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"answer-late", "stay-in-progress"})
  void a_short_hold_can_be_told_and_ends_by_itself(String behaviour) throws Exception {
    tell("{\"behaviour\": \"%s\", \"millis\": 5}".formatted(behaviour));

    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
    assertThat(upstream.effects()).hasSize(1);
  }

  @Test
  void a_lost_answer_can_be_told() throws Exception {
    tell("{\"behaviour\": \"lose-answer\"}");

    assertThatExceptionOfType(IOException.class).isThrownBy(() -> caller.export("k-1"));
    assertThat(upstream.effects()).hasSize(1);
  }

  @Test
  void a_cut_connection_can_be_told() throws Exception {
    tell("{\"behaviour\": \"cut-connection\"}");

    assertThatExceptionOfType(IOException.class).isThrownBy(() -> caller.export("k-1"));
    assertThat(upstream.effects()).isEmpty();
  }

  @Test
  void a_lie_about_the_digest_can_be_told() throws Exception {
    tell("{\"behaviour\": \"lie-about-digest\"}");

    HttpResponse<String> lying = caller.export("k-1");

    assertThat(lying.headers().firstValue("Content-Digest"))
        .get()
        .isNotEqualTo(Digests.contentDigestOf(lying.body()));
  }

  @Test
  void what_was_told_can_be_taken_back() throws Exception {
    tell("{\"behaviour\": \"normal\"}");
    tell("{\"behaviour\": \"status\", \"code\": 503, \"effect\": false, \"times\": 9}");

    assertThat(caller.call("DELETE", "/behaviour", "").statusCode()).isEqualTo(200);

    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
    assertThat(caller.export("k-2").statusCode()).isEqualTo(201);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{}",
        "{\"behaviour\": \"sulk\"}",
        "{\"behaviour\": \"answer-late\"}",
        "{\"behaviour\": \"answer-late\", \"millis\": -1}",
        "{\"behaviour\": \"status\", \"code\": 503}",
        "{\"behaviour\": \"status\", \"code\": 204, \"effect\": false}",
        "{\"behaviour\": \"status\", \"code\": 503.5, \"effect\": false}",
        "{\"behaviour\": \"normal\", \"times\": -1}",
      })
  void an_order_that_makes_no_sense_is_400_and_changes_nothing(String order) throws Exception {
    assertThat(caller.call("POST", "/behaviour", order).statusCode()).isEqualTo(400);

    assertThat(caller.export("k-1").statusCode()).isEqualTo(201);
  }

  @Test
  void control_refuses_other_methods() throws Exception {
    assertThat(caller.call("POST", "/effects", "{}").statusCode()).isEqualTo(405);
    assertThat(caller.call("GET", "/behaviour", "").statusCode()).isEqualTo(405);
  }

  private void tell(String order) throws Exception {
    assertThat(caller.call("POST", "/behaviour", order).statusCode()).isEqualTo(200);
  }
}
