package dev.holdfast.activities.internal;

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
import dev.holdfast.ledger.VerifiedResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What follows from how far the effect came and how the method ended. Pure.
 *
 * <p>An exception before the dispatch gives the attempt back. After it the outcome is unknown,
 * unless the upstream's no was definite or it did nothing; what the activity declares by its
 * exception counts more than what its dispatch recorded.
 */
sealed interface Conclusion {
  /** Nothing was dispatched. */
  record GiveBack(Throwable thrown) implements Conclusion {}

  /** A verified success. */
  record Settle(VerifiedResponse response, @Nullable Object value) implements Conclusion {}

  /** The returned value itself is the evidence. */
  record SettleByResult(@Nullable Object value) implements Conclusion {}

  /** Effect and receipt were one transaction. */
  record SettledAlready(SettleOutcome outcome, StoredResult result) implements Conclusion {}

  /** Dispatched, and no verified success; the cause is what the activity threw. */
  record End(AttemptEnd end, @Nullable Throwable cause) implements Conclusion {}

  /** The method returned and nothing says what it did. */
  record NoEvidence() implements Conclusion {}

  /** A word for the reason where the method threw after its dispatch. */
  String THREW = "exception";

  /**
   * What follows from these.
   *
   * @param keyRead whether the activity took the upstream key: it may have used it
   */
  static Conclusion of(
      DispatchState state, Attempted attempted, EvidenceRule evidence, boolean keyRead) {
    return switch (state) {
      case DispatchState.SettledInTransaction(var lease, SettleOutcome outcome, var result) ->
          new SettledAlready(outcome, result);
      case DispatchState.Undispatched() -> undispatched(attempted, keyRead);
      case DispatchState.Dispatched dispatched ->
          afterDispatch(
              evidence == EvidenceRule.RESULT ? besideMethod(dispatched) : dispatched,
              attempted,
              evidence);
    };
  }

  private static Conclusion afterDispatch(
      DispatchState.Dispatched state, Attempted attempted, EvidenceRule evidence) {
    return switch (attempted) {
      case Returned(Object value) -> returned(state, value, evidence);
      case Threw(Throwable thrown) -> threw(state, thrown);
    };
  }

  /** Where the whole method is the effect, a dispatch in it is only a part. */
  private static DispatchState.Dispatched besideMethod(DispatchState.Dispatched state) {
    return switch (state) {
      case DispatchState.Rejected(var lease, var failure) ->
          new DispatchState.PartlyDone(lease, DispatchState.REJECTED_BESIDE_EFFECT);
      case DispatchState.Refused(var lease, var status) ->
          new DispatchState.PartlyDone(lease, DispatchState.REFUSED_BESIDE_EFFECT);
      case DispatchState.Verified(var lease, var response, var amongOthers) ->
          new DispatchState.Verified(lease, response, true);
      case DispatchState.Unanswered(var lease) ->
          new DispatchState.PartlyDone(lease, DispatchState.NO_ANSWER);
      case DispatchState.MethodAlone alone -> alone;
      case DispatchState.Unverified unverified -> unverified;
      case DispatchState.PartlyDone partly -> partly;
      case DispatchState.SettledInTransaction settled -> settled;
    };
  }

  private static Conclusion undispatched(Attempted attempted, boolean keyRead) {
    return switch (attempted) {
      case Returned returned -> new NoEvidence();
      case Threw(Throwable thrown) when keyRead ->
          new End(
              declared(thrown).or(() -> unsent(thrown)).orElse(new AttemptEnd.Unclear(THREW)),
              thrown);
      case Threw(Throwable thrown) -> new GiveBack(thrown);
    };
  }

  private static Conclusion returned(
      DispatchState.Dispatched state, @Nullable Object value, EvidenceRule evidence) {
    return switch (state) {
      case DispatchState.Rejected(var lease, SettledFailure failure) ->
          new End(new AttemptEnd.Failed(failure), null);
      case DispatchState.Refused(var lease, int status) ->
          new End(new AttemptEnd.Refused(status), null);
      // an answer that was not believed is not made good by what was read out of it
      case DispatchState.Unverified(var lease, String reason) ->
          new End(new AttemptEnd.Unclear(reason), null);
      case DispatchState.PartlyDone(var lease, String reason) ->
          new End(new AttemptEnd.Unclear(reason), null);
      case DispatchState.Dispatched other when evidence == EvidenceRule.RESULT ->
          new SettleByResult(value);
      case DispatchState.Verified(var lease, VerifiedResponse response, var amongOthers) ->
          new Settle(response, value);
      case DispatchState.Unanswered(var lease) ->
          new End(new AttemptEnd.Unclear(DispatchState.NO_ANSWER), null);
      case DispatchState.MethodAlone(var lease) ->
          new End(new AttemptEnd.Unclear(DispatchState.NO_ANSWER), null);
      case DispatchState.SettledInTransaction(var lease, SettleOutcome outcome, var result) ->
          new SettledAlready(outcome, result);
    };
  }

  private static Conclusion threw(DispatchState.Dispatched state, Throwable thrown) {
    AttemptEnd recorded = recorded(state, thrown);
    return new End(didSeveral(state) ? recorded : declared(thrown).orElse(recorded), thrown);
  }

  /** What an exception declares is true of one dispatch, where others did something. */
  private static boolean didSeveral(DispatchState.Dispatched state) {
    return state instanceof DispatchState.PartlyDone
        || (state instanceof DispatchState.Verified verified && verified.amongOthers());
  }

  private static AttemptEnd recorded(DispatchState.Dispatched state, Throwable thrown) {
    return switch (state) {
      case DispatchState.Rejected(var lease, SettledFailure failure) ->
          new AttemptEnd.Failed(failure);
      case DispatchState.Refused(var lease, int status) -> new AttemptEnd.Refused(status);
      case DispatchState.Unverified(var lease, String reason) -> new AttemptEnd.Unclear(reason);
      case DispatchState.PartlyDone(var lease, String reason) ->
          new AttemptEnd.Unclear(reason.equals(DispatchState.NO_ANSWER) ? THREW : reason);
      case DispatchState.Verified verified ->
          new AttemptEnd.Unclear(verified.amongOthers() ? besideEffect(thrown) : THREW);
      case DispatchState.Unanswered unanswered ->
          unsent(thrown).orElse(new AttemptEnd.Unclear(THREW));
      case DispatchState.MethodAlone alone -> unsent(thrown).orElse(new AttemptEnd.Unclear(THREW));
      case DispatchState.SettledInTransaction settled -> new AttemptEnd.Unclear(THREW);
    };
  }

  private static String besideEffect(Throwable thrown) {
    return declared(thrown)
        .map(
            end ->
                end instanceof AttemptEnd.Failed
                    ? DispatchState.REJECTED_BESIDE_EFFECT
                    : DispatchState.REFUSED_BESIDE_EFFECT)
        .orElse(THREW);
  }

  /** What the activity declares by the exception it throws, or by one that this was caused by. */
  static Optional<AttemptEnd> declared(Throwable thrown) {
    final int depth = 20;
    Throwable cause = thrown;
    for (int i = 0; cause != null && i < depth; i++) {
      if (cause instanceof UpstreamRejectedException rejected) {
        return Optional.of(new AttemptEnd.Failed(failure(rejected)));
      }
      if (cause instanceof UpstreamRefusedException refused) {
        return Optional.of(new AttemptEnd.Refused(refused.status()));
      }
      cause = cause.getCause();
    }
    return Optional.empty();
  }

  /** The no is definite whatever its word: one that the ledger cannot keep is left out. */
  private static SettledFailure failure(UpstreamRejectedException rejected) {
    try {
      return new SettledFailure(rejected.code(), rejected.status());
    } catch (IllegalArgumentException | NullPointerException e) {
      return new SettledFailure("rejected", rejected.status());
    }
  }

  /** The author's word that nothing left; it counts only where nothing says the contrary. */
  private static Optional<AttemptEnd> unsent(Throwable thrown) {
    return thrown instanceof NotDispatchedException
        ? Optional.of(new AttemptEnd.Refused(0))
        : Optional.empty();
  }
}
