package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.EffectId;
import org.jspecify.annotations.Nullable;

/** What somebody saw of an operation, with the tuple that its evidence bears. */
public sealed interface Observation {

  /** The tuple as observed. */
  Tuple tuple();

  /** The word for this kind in the database and in the table. */
  default String word() {
    return switch (this) {
      case Succeeded seen -> "succeeded";
      case Failed seen -> "failed";
      case Refused seen -> "refused";
      case InProgress seen -> "in_progress";
      case TimedOut seen -> "timed_out";
      case LeaseExpired seen -> "lease_expired";
    };
  }

  /** An answer of the upstream that was verified and says what it did. */
  sealed interface Definite extends Observation {}

  /**
   * The effect exists.
   *
   * @param effect what makes it the same effect as another report's, by the upstream's contract
   * @param attempt whose dispatch it was; null where the evidence cannot tell
   */
  record Succeeded(Tuple tuple, EffectId effect, @Nullable ClaimId attempt) implements Definite {}

  /**
   * The attempt did nothing and never will, and neither will the same request sent again.
   *
   * @param attempt which one did nothing; null where the evidence cannot tell
   */
  record Failed(Tuple tuple, @Nullable ClaimId attempt) implements Definite {}

  /** The attempt did nothing; the same request may succeed another time. */
  record Refused(Tuple tuple) implements Definite {}

  /** Somebody was at work when it was seen. */
  record InProgress(Tuple tuple) implements Observation {}

  /** The outcome was not seen: a time-out, an exception after dispatch, an unverified answer. */
  record TimedOut(Tuple tuple) implements Observation {}

  /** A lease was seen to be over. */
  record LeaseExpired(Tuple tuple) implements Observation {}
}
