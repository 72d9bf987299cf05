package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.EvidenceRule;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.AnswerRules;
import dev.holdfast.activities.Dispatch;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamRefusedException;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.internal.Attempted.Returned;
import dev.holdfast.activities.internal.Attempted.Threw;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.SettledFailure;
import io.temporal.failure.ApplicationFailure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several dispatches of one activity, told apart by their names. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NamedDispatchTest {
  private final OpenEffect effect = OpenEffect.of("export");

  /** An upstream's answer. */
  record Answer(int status, String body) {
    byte[] bytes() {
      return body.getBytes(UTF_8);
    }
  }

  private static final Evidence<Answer> EVIDENCE = Evidence.of(Answer::status, Answer::bytes);

  private static Dispatch<Answer, RuntimeException> answering(int status, String body) {
    return key -> new Answer(key.value().isEmpty() ? 500 : status, body);
  }

  private static List<String> keysOf(OpenEffect effect, String... names) {
    List<String> keys = new ArrayList<>();
    effect.run(
        e -> {
          for (String name : names) {
            e.dispatch(
                name,
                key -> {
                  keys.add(key.value());
                  return new Answer(200, "ok");
                },
                EVIDENCE);
          }
          return e;
        });
    return keys;
  }

  private AttemptEnd endOf(Attempted attempted) {
    Conclusion conclusion =
        Conclusion.of(effect.state(), attempted, EvidenceRule.WITNESSED, effect.scope().keyRead());
    assertThat(conclusion).isInstanceOf(Conclusion.End.class);
    return ((Conclusion.End) conclusion).end();
  }

  @Test
  void each_name_has_a_key_of_its_own_the_same_at_a_retry() {
    List<String> first = keysOf(effect, "create", "upload");
    List<String> retry = keysOf(OpenEffect.of("export"), "create", "upload");

    assertThat(first).doesNotHaveDuplicates().hasSize(2);
    assertThat(first).doesNotContain(effect.scope().dispatch().key().value());
    assertThat(retry).isEqualTo(first);
    String key = effect.run(e -> e.upstreamKey("upload").value());
    assertThat(key).isEqualTo(first.getLast());
  }

  @Test
  void an_unnamed_second_dispatch_names_the_cure() {
    assertThatThrownBy(
            () ->
                effect.run(
                    e -> {
                      e.dispatch(answering(200, "one"), EVIDENCE);
                      return e.dispatch(answering(200, "two"), EVIDENCE);
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("send(\"upload\"");
  }

  @Test
  void a_name_is_used_once() {
    assertThatThrownBy(() -> keysOf(effect, "upload", "upload"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("name of its own");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "no\nway", "ju\u0308rgen"})
  void a_text_that_names_nothing_is_refused_before_anything_is_sent(String unfit) {
    assertThatThrownBy(() -> keysOf(effect, unfit))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            refusal -> assertThat(refusal.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE));
    assertThat(effect.state()).isInstanceOf(DispatchState.Undispatched.class);
  }

  @Test
  void one_receipt_covers_all_and_its_digest_each_of_them() {
    DispatchState.Verified both = verified("one", "two");

    assertThat(both.response().status()).isEqualTo(202);
    assertThat(both.response().effect().value())
        .isEqualTo(OpenEffect.of("export").scope().dispatch().key().value());
    assertThat(verified("one", "two").response().digest()).isEqualTo(both.response().digest());
    assertThat(verified("one", "other").response().digest()).isNotEqualTo(both.response().digest());
    assertThat(verified("other", "two").response().digest()).isNotEqualTo(both.response().digest());
  }

  private static DispatchState.Verified verified(String first, String second) {
    OpenEffect fresh = OpenEffect.of("export");
    fresh.run(
        e -> {
          e.dispatch("create", answering(201, first), EVIDENCE);
          return e.dispatch("upload", answering(202, second), EVIDENCE);
        });
    assertThat(fresh.state()).isInstanceOf(DispatchState.Verified.class);
    return (DispatchState.Verified) fresh.state();
  }

  private Exception dispatchBoth(int firstStatus, int secondStatus) {
    return effect.run(
        e -> {
          send(e, "create", firstStatus);
          return send(e, "upload", secondStatus);
        });
  }

  private static Exception send(FencedEffect effect, String name, int status) {
    try {
      effect.dispatch(name, answering(status, "body"), EVIDENCE);
      return new Exception("none");
    } catch (RuntimeException e) {
      return e;
    }
  }

  @Test
  void a_rejection_after_a_success_is_unknown_though_its_exception_says_otherwise() {
    Exception thrown = dispatchBoth(200, 422);

    assertThat(thrown).isInstanceOf(UpstreamRejectedException.class);
    AttemptEnd unclear = new AttemptEnd.Unclear("rejected_beside_effect");
    assertThat(endOf(new Threw(thrown))).isEqualTo(unclear);
    assertThat(endOf(new Returned("swallowed"))).isEqualTo(unclear);
  }

  @Test
  void so_is_a_refusal_before_or_after_one() {
    Exception thrown = dispatchBoth(429, 200);

    AttemptEnd unclear = new AttemptEnd.Unclear("refused_beside_effect");
    assertThat(endOf(new Threw(thrown))).isEqualTo(unclear);
    assertThat(endOf(new Returned("swallowed"))).isEqualTo(unclear);
  }

  @Test
  void nor_does_a_no_that_the_author_reads_out_of_one_success_speak_for_the_others() {
    dispatchBoth(200, 200);

    assertThat(endOf(new Threw(new UpstreamRefusedException(429))))
        .isEqualTo(new AttemptEnd.Unclear("refused_beside_effect"));
    assertThat(endOf(new Threw(new UpstreamRejectedException("no", 422))))
        .isEqualTo(new AttemptEnd.Unclear("rejected_beside_effect"));
    assertThat(endOf(new Threw(new IllegalStateException("own"))))
        .isEqualTo(new AttemptEnd.Unclear(Conclusion.THREW));
  }

  @Test
  void an_answer_that_proves_nothing_makes_the_whole_unknown() {
    Exception thrown = dispatchBoth(200, 503);

    assertThat(endOf(new Threw(thrown))).isEqualTo(new AttemptEnd.Unclear("status_503"));
    assertThat(endOf(new Returned("swallowed"))).isEqualTo(new AttemptEnd.Unclear("status_503"));
  }

  @Test
  void a_no_to_each_of_them_is_a_no() {
    Exception thrown = dispatchBoth(429, 422);

    assertThat(endOf(new Threw(thrown)))
        .isEqualTo(new AttemptEnd.Failed(new SettledFailure("status_422", 422)));
  }

  @Test
  void a_dispatch_without_an_answer_beside_a_success_is_unknown() {
    IllegalStateException own = new IllegalStateException("broken pipe");
    assertThatThrownBy(
            () ->
                effect.run(
                    e -> {
                      e.dispatch("create", answering(200, "one"), EVIDENCE);
                      return e.dispatch(
                          "upload",
                          key -> {
                            throw own;
                          },
                          EVIDENCE);
                    }))
        .isSameAs(own);

    assertThat(endOf(new Threw(own))).isEqualTo(new AttemptEnd.Unclear(Conclusion.THREW));
    assertThat(endOf(new Threw(new NotDispatchedException("a lie"))))
        .isEqualTo(new AttemptEnd.Unclear(Conclusion.THREW));
    assertThat(endOf(new Returned("swallowed"))).isEqualTo(new AttemptEnd.Unclear("no_answer"));
  }

  @Test
  void a_second_dispatch_past_the_lease_is_not_sent_and_not_told_as_if_nothing_was() {
    List<String> sent = new ArrayList<>();
    OpenEffect late = OpenEffect.of("export");
    assertThatThrownBy(
            () ->
                late.run(
                    e -> {
                      e.dispatch("create", answering(200, "one"), EVIDENCE);
                      late.lose();
                      return e.dispatch(
                          "upload",
                          key -> {
                            sent.add(key.value());
                            return new Answer(200, "two");
                          },
                          EVIDENCE);
                    }))
        .isInstanceOf(NotDispatchedException.class)
        .hasMessage("lease-over");

    assertThat(sent).isEmpty();
    assertThat(
            Conclusion.of(
                late.state(),
                new Threw(new NotDispatchedException("lease-over")),
                EvidenceRule.WITNESSED,
                true))
        .isInstanceOfSatisfying(
            Conclusion.End.class,
            end -> assertThat(end.end()).isEqualTo(new AttemptEnd.Unclear("lease-over")));
  }

  @Test
  void every_key_must_be_read() {
    effect.run(
        e -> {
          e.dispatch("create", answering(200, "one"), EVIDENCE);
          return e.dispatch("upload", key -> new Answer(200, "two"), EVIDENCE);
        });

    assertThat(effect.scope().keyRead()).isTrue();
    assertThat(effect.scope().everyKeyRead()).isFalse();
  }

  @Test
  void a_named_request_over_http_bears_the_key_of_its_name() throws Exception {
    try (HttpUpstream upstream = HttpUpstream.answering(200, "{}".getBytes(UTF_8))) {
      effect.run(
          e -> {
            e.send("create", HttpUpstream.client(), upstream.post());
            return e.send("upload", HttpUpstream.client(), upstream.post(), AnswerRules.standard());
          });

      assertThat(upstream.seen())
          .extracting(headers -> headers.getFirst("Idempotency-Key"))
          .containsExactly(
              effect.scope().dispatch("create").key().value(),
              effect.scope().dispatch("upload").key().value());
      assertThat(effect.scope().everyKeyRead()).isTrue();
      assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    }
  }
}
