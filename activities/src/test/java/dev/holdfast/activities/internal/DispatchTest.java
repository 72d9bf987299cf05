package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.activities.AnswerRules;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamRefusedException;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.UpstreamUnverifiedException;
import dev.holdfast.ledger.Sha256;
import io.temporal.failure.ApplicationFailure;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DispatchTest {
  private static final byte[] BYTES = "S3CR3T-7f charge".getBytes(UTF_8);
  private static final Evidence<Charge> EVIDENCE = Evidence.of(Charge::status, Charge::rawBytes);

  private final OpenEffect effect = OpenEffect.of("export");

  /** What a payment client answers. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Charge(int status, byte[] rawBytes) {
    static Charge of(int status) {
      return new Charge(status, BYTES);
    }
  }

  @Test
  void a_success_is_witnessed_and_comes_back() {
    Charge charge =
        effect.run(
            e ->
                e.dispatch(
                    key -> key.value().startsWith("hf1-") ? Charge.of(201) : Charge.of(500),
                    EVIDENCE));

    assertThat(charge.status()).isEqualTo(201);
    DispatchState.Verified verified = (DispatchState.Verified) effect.state();
    assertThat(verified.response().digest()).isEqualTo(Sha256.of(BYTES));
    assertThat(verified.response().effect().value())
        .isEqualTo(effect.scope().dispatch().key().value());
    assertThat(effect.scope().keyRead()).isTrue();
  }

  @Test
  void a_dispatch_that_never_reads_its_key_is_noticed() {
    effect.run(e -> e.dispatch(key -> Charge.of(200), EVIDENCE));

    assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
    assertThat(effect.scope().keyRead()).isFalse();
  }

  @Test
  void a_key_that_is_joined_to_a_text_was_read() {
    effect.run(
        e -> e.dispatch(key -> ("" + key).isEmpty() ? Charge.of(500) : Charge.of(200), EVIDENCE));

    assertThat(effect.scope().keyRead()).isTrue();
  }

  @Test
  void statuses_are_read_by_the_table_of_http() {
    assertThatThrownBy(
            () -> OpenEffect.of("export").run(e -> e.dispatch(k -> Charge.of(402), EVIDENCE)))
        .isInstanceOf(UpstreamRejectedException.class);
    assertThatThrownBy(
            () -> OpenEffect.of("export").run(e -> e.dispatch(k -> Charge.of(429), EVIDENCE)))
        .isInstanceOf(UpstreamRefusedException.class);
    assertThatThrownBy(
            () -> OpenEffect.of("export").run(e -> e.dispatch(k -> Charge.of(0), EVIDENCE)))
        .isInstanceOf(UpstreamUnverifiedException.class);
  }

  @Test
  void the_author_moves_a_status() {
    Evidence<Charge> lenient = EVIDENCE.readBy(AnswerRules.standard().succeeded(409));
    effect.run(e -> e.dispatch(k -> Charge.of(409), lenient));

    assertThat(effect.state()).isInstanceOf(DispatchState.Verified.class);
  }

  @Test
  void a_digest_that_the_author_took_from_the_answer_is_compared() {
    Evidence<Charge> lying = EVIDENCE.withDigest(c -> Optional.of(Sha256.ofUtf8("other")));
    Evidence<Charge> honest =
        EVIDENCE
            .withDigest(c -> Optional.of(Sha256.of(BYTES)))
            .readBy(AnswerRules.standard().digestRequired());

    OpenEffect.of("export").run(e -> e.dispatch(k -> Charge.of(200), honest));
    assertThatThrownBy(() -> effect.run(e -> e.dispatch(k -> Charge.of(200), lying)))
        .isInstanceOf(UpstreamUnverifiedException.class);
    assertThat(effect.state())
        .isInstanceOfSatisfying(
            DispatchState.Unverified.class,
            s -> assertThat(s.reason()).isEqualTo("digest_differs"));
  }

  @Test
  void an_exception_of_the_client_leaves_the_dispatch_without_an_answer() {
    assertThatThrownBy(
            () ->
                effect.run(
                    e ->
                        e.dispatch(
                            key -> {
                              throw new IllegalStateException("broken pipe");
                            },
                            EVIDENCE)))
        .hasMessage("broken pipe");
    assertThat(effect.state()).isInstanceOf(DispatchState.Unanswered.class);
  }

  @Test
  void evidence_that_cannot_be_read_leaves_the_dispatch_without_an_answer() {
    Evidence<Charge> broken =
        Evidence.of(
            Charge::status,
            c -> {
              throw new IllegalStateException("no bytes");
            });
    assertThatThrownBy(() -> effect.run(e -> e.dispatch(k -> Charge.of(200), broken)))
        .hasMessage("no bytes");
    assertThat(effect.state()).isInstanceOf(DispatchState.Unanswered.class);
  }

  @Test
  void a_client_that_says_that_nothing_left_did_nothing() {
    assertThatThrownBy(
            () ->
                effect.run(
                    e ->
                        e.dispatch(
                            key -> {
                              throw new NotDispatchedException("no-connection");
                            },
                            EVIDENCE)))
        .isInstanceOf(NotDispatchedException.class);
    assertThat(effect.state()).isInstanceOf(DispatchState.Refused.class);
  }

  @Test
  void a_second_dispatch_is_refused_before_it_does_anything() {
    AtomicInteger calls = new AtomicInteger();
    assertThatThrownBy(
            () ->
                effect.run(
                    e -> {
                      e.dispatch(k -> Charge.of(200 + calls.getAndIncrement()), EVIDENCE);
                      return e.dispatch(k -> Charge.of(200 + calls.getAndIncrement()), EVIDENCE);
                    }))
        .hasMessageContaining("second dispatch");
    assertThat(calls).hasValue(1);
  }

  @Test
  void an_effect_that_is_kept_beyond_its_activity_dispatches_nothing() {
    AtomicInteger calls = new AtomicInteger();
    var kept = effect.run(e -> e);

    assertThatThrownBy(() -> kept.dispatch(k -> Charge.of(200 + calls.getAndIncrement()), EVIDENCE))
        .isInstanceOf(IllegalStateException.class);
    assertThat(calls).hasValue(0);
  }

  @Test
  void a_method_of_another_contract_cannot_dispatch() {
    assertThatThrownBy(
            () -> OpenEffect.of("book").run(e -> e.dispatch(k -> Charge.of(200), EVIDENCE)))
        .isInstanceOfSatisfying(
            ApplicationFailure.class, e -> assertThat(e.getType()).isEqualTo("NotProtectable"));
  }
}
