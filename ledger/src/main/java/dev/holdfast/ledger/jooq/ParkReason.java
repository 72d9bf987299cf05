package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.OpenAttemptRule;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Why an operation waits for a person, in the words that the ledger itself gives. */
final class ParkReason {
  /** An attempt is open under a contract that lets nobody else tell. */
  static final String OPEN_ATTEMPT = "open_attempt";

  /** The upstream may have forgotten the key of an open attempt, and cannot be asked. */
  static final String KEY_HORIZON = Claim.Parked.KEY_HORIZON;

  /** The effect was found, and an attempt of an older binding generation may have had it. */
  static final String OTHER_GENERATION = "other_generation";

  /** It did not happen, but still may. */
  static final String NOT_FINAL = "not_final";

  /**
   * An attempt is open, and its binding was rotated: no claim of its generation is granted any more
   * that could find out about it.
   */
  static final String SUPERSEDED = "superseded";

  private ParkReason() {}

  /** Why an open attempt is beyond everybody else once its binding was rotated. */
  static @Nullable String afterRotation(OpenAttemptRule rule, Duration keyLeft) {
    String own = of(rule, keyLeft);
    // rolled back with its transaction, nothing of it is open
    return own == null && !(rule instanceof OpenAttemptRule.RolledBack) ? SUPERSEDED : own;
  }

  /**
   * Why an open attempt is beyond everybody else; null where the contract has another way.
   *
   * @param keyLeft how long the upstream surely still knows its key
   */
  static @Nullable String of(OpenAttemptRule rule, Duration keyLeft) {
    return switch (rule) {
      case OpenAttemptRule.RolledBack done -> null;
      case OpenAttemptRule.AskFirst ask -> null;
      case OpenAttemptRule.ParkWhileOpen park -> OPEN_ATTEMPT;
      case OpenAttemptRule.SameKeyAgain again ->
          again.then() instanceof OpenAttemptRule.AskFirst || keyLeft.isPositive()
              ? null
              : KEY_HORIZON;
    };
  }
}
