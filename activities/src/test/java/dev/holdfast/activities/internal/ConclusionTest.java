package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.EvidenceRule;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamRefusedException;
import dev.holdfast.activities.UpstreamRejectedException;
import dev.holdfast.activities.internal.Attempted.Returned;
import dev.holdfast.activities.internal.Attempted.Threw;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.Verification;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What follows from how far the effect came and how the method ended. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConclusionTest {
  private static final Attempted RETURNED = new Returned("value");
  private final Throwable own = new IllegalStateException("the author's own");
  private static final SettledFailure NO = new SettledFailure("no", 422);

  private final EffectScope scope = OpenEffect.of("export").scope();
  private final OneDispatch dispatch = scope.dispatch();

  private Conclusion witnessed(Attempted attempted) {
    return Conclusion.of(scope.state(), attempted, EvidenceRule.WITNESSED, scope.keyRead());
  }

  private Conclusion byResult(Attempted attempted) {
    return Conclusion.of(scope.state(), attempted, EvidenceRule.RESULT, scope.keyRead());
  }

  private void dispatched() {
    var unused = dispatch.begin();
  }

  private void verified() {
    dispatched();
    dispatch.answered(
        new Verification.Verified(scope.verified("body".getBytes(StandardCharsets.UTF_8))));
  }

  private static AttemptEnd endOf(Conclusion conclusion) {
    return conclusion instanceof Conclusion.End(AttemptEnd end, Throwable cause)
        ? end
        : new AttemptEnd.Unclear("not an end: " + conclusion.getClass().getSimpleName());
  }

  @Test
  void before_a_dispatch_an_exception_gives_the_attempt_back_and_an_error_too() {
    for (Throwable thrown :
        List.of(own, new OutOfMemoryError(), new UpstreamRejectedException("no", 422))) {
      assertThat(witnessed(new Threw(thrown))).isEqualTo(new Conclusion.GiveBack(thrown));
    }
  }

  @Test
  void but_not_once_the_key_was_read_it_may_have_been_sent() {
    dispatch.keyWasRead();

    assertThat(endOf(witnessed(new Threw(own)))).isEqualTo(new AttemptEnd.Unclear("exception"));
    assertThat(endOf(witnessed(new Threw(new NotDispatchedException("no")))))
        .isEqualTo(new AttemptEnd.Refused(0));
  }

  @Test
  void a_return_without_a_dispatch_has_no_evidence() {
    assertThat(witnessed(RETURNED)).isEqualTo(new Conclusion.NoEvidence());
  }

  @Test
  void a_verified_answer_settles_with_the_returned_value() {
    verified();

    assertThat(witnessed(RETURNED))
        .isInstanceOfSatisfying(
            Conclusion.Settle.class, settle -> assertThat(settle.value()).isEqualTo("value"));
  }

  @Test
  void a_verified_answer_and_an_exception_are_unclear() {
    verified();

    assertThat(endOf(witnessed(new Threw(own)))).isEqualTo(new AttemptEnd.Unclear("exception"));
  }

  @Test
  void nobody_can_take_a_verified_answer_back_by_saying_that_nothing_was_sent() {
    verified();

    assertThat(endOf(witnessed(new Threw(new NotDispatchedException("a lie")))))
        .isEqualTo(new AttemptEnd.Unclear("exception"));
  }

  @Test
  void the_author_may_read_a_definite_no_out_of_a_verified_answer() {
    verified();

    assertThat(endOf(witnessed(new Threw(new UpstreamRejectedException("no", 422)))))
        .isEqualTo(new AttemptEnd.Failed(NO));
    assertThat(
            endOf(
                witnessed(new Threw(new IllegalStateException(new UpstreamRefusedException(429))))))
        .isEqualTo(new AttemptEnd.Refused(429));
  }

  @Test
  void a_dispatch_without_an_answer_is_unclear_however_the_method_ends() {
    dispatched();

    assertThat(endOf(witnessed(RETURNED))).isEqualTo(new AttemptEnd.Unclear("no_answer"));
    assertThat(endOf(witnessed(new Threw(own)))).isEqualTo(new AttemptEnd.Unclear("exception"));
  }

  @Test
  void an_answer_that_proved_nothing_is_unclear_however_the_method_ends() {
    dispatched();
    dispatch.answered(new Verification.Unverified("digest_differs"));

    assertThat(endOf(witnessed(RETURNED))).isEqualTo(new AttemptEnd.Unclear("digest_differs"));
    assertThat(endOf(witnessed(new Threw(own))))
        .isEqualTo(new AttemptEnd.Unclear("digest_differs"));
  }

  @Test
  void a_recorded_no_stays_one_when_its_exception_was_swallowed() {
    dispatched();
    dispatch.rejected(NO);

    assertThat(endOf(witnessed(RETURNED))).isEqualTo(new AttemptEnd.Failed(NO));
    assertThat(endOf(witnessed(new Threw(own)))).isEqualTo(new AttemptEnd.Failed(NO));
  }

  @Test
  void a_recorded_refusal_stays_one_when_its_exception_was_swallowed() {
    dispatched();
    dispatch.refused(429);

    assertThat(endOf(witnessed(RETURNED))).isEqualTo(new AttemptEnd.Refused(429));
    assertThat(endOf(witnessed(new Threw(own)))).isEqualTo(new AttemptEnd.Refused(429));
  }

  @Test
  void where_the_method_is_the_effect_a_no_to_its_dispatch_leaves_it_unclear() {
    dispatched();
    dispatch.rejected(NO);

    AttemptEnd unclear = new AttemptEnd.Unclear("rejected_beside_effect");
    assertThat(endOf(byResult(RETURNED))).isEqualTo(unclear);
    assertThat(endOf(byResult(new Threw(new UpstreamRejectedException("no", 422)))))
        .isEqualTo(unclear);
  }

  @Test
  void so_does_a_refusal_and_a_dispatch_that_never_left() {
    dispatched();
    dispatch.refused(429);

    AttemptEnd unclear = new AttemptEnd.Unclear("refused_beside_effect");
    assertThat(endOf(byResult(RETURNED))).isEqualTo(unclear);
    assertThat(endOf(byResult(new Threw(new UpstreamRefusedException(429))))).isEqualTo(unclear);
    assertThat(endOf(byResult(new Threw(new NotDispatchedException("no"))))).isEqualTo(unclear);
  }

  @Test
  void where_the_method_is_the_effect_a_dispatch_without_an_answer_leaves_it_unclear() {
    dispatched();

    assertThat(endOf(byResult(RETURNED))).isEqualTo(new AttemptEnd.Unclear("no_answer"));
    for (Throwable no :
        List.of(
            new UpstreamRejectedException("no", 422),
            new UpstreamRefusedException(429),
            new NotDispatchedException("no"))) {
      assertThat(endOf(byResult(new Threw(no)))).isEqualTo(new AttemptEnd.Unclear("exception"));
    }
  }

  @Test
  void without_a_dispatch_what_it_returns_is_the_proof() {
    var unused = scope.assumeDispatched();

    assertThat(byResult(RETURNED)).isEqualTo(new Conclusion.SettleByResult("value"));
  }

  @Test
  void without_a_dispatch_the_authors_no_is_that_of_the_whole_method() {
    var unused = scope.assumeDispatched();

    assertThat(endOf(byResult(new Threw(new UpstreamRejectedException("no", 422)))))
        .isEqualTo(new AttemptEnd.Failed(NO));
    assertThat(endOf(byResult(new Threw(new UpstreamRefusedException(429)))))
        .isEqualTo(new AttemptEnd.Refused(429));
  }

  @Test
  void but_beside_a_success_it_leaves_the_method_unclear() {
    verified();

    assertThat(endOf(byResult(new Threw(new UpstreamRejectedException("no", 422)))))
        .isEqualTo(new AttemptEnd.Unclear("rejected_beside_effect"));
  }

  @Test
  void where_the_result_is_the_evidence_it_counts_more_than_an_answer() {
    verified();

    assertThat(byResult(RETURNED)).isEqualTo(new Conclusion.SettleByResult("value"));
    assertThat(endOf(byResult(new Threw(own)))).isEqualTo(new AttemptEnd.Unclear("exception"));
  }

  @Test
  void but_not_more_than_an_answer_that_was_not_believed() {
    dispatched();
    dispatch.answered(new Verification.Unverified("digest_differs"));

    assertThat(endOf(byResult(RETURNED))).isEqualTo(new AttemptEnd.Unclear("digest_differs"));
  }

  static Stream<@Nullable String> unfitCodes() {
    return Stream.of(null, "", " ", "c".repeat(101), "no\nway", "ju\u0308rgen");
  }

  @ParameterizedTest
  @MethodSource("unfitCodes")
  void a_definite_no_is_settled_whatever_its_word(String unfit) {
    dispatched();

    assertThat(endOf(witnessed(new Threw(new UpstreamRejectedException(unfit, 422)))))
        .isEqualTo(new AttemptEnd.Failed(new SettledFailure("rejected", 422)));
  }

  @Test
  void what_the_ledgers_transaction_settled_stands_whatever_follows() {
    dispatched();
    SettleOutcome outcome = new SettleOutcome.Preempted();
    StoredResult result = new StoredResult.NoValue();
    dispatch.settledInTransaction(outcome, result);

    assertThat(witnessed(RETURNED)).isEqualTo(new Conclusion.SettledAlready(outcome, result));
    assertThat(witnessed(new Threw(own))).isEqualTo(new Conclusion.SettledAlready(outcome, result));
  }

  @Test
  void a_chain_of_causes_that_bites_its_tail_is_followed_for_a_while_only() {
    dispatched();
    IllegalStateException one = new IllegalStateException("one");
    one.initCause(new IllegalStateException("two", one));

    assertThat(endOf(witnessed(new Threw(one)))).isEqualTo(new AttemptEnd.Unclear("exception"));
  }
}
