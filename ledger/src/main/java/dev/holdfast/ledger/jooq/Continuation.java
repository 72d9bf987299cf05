package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.OpenAttemptRule;

/** What a granted claim may do next, by the upstream's contract. Pure. */
enum Continuation {
  DISPATCH,
  /** Earlier attempts are open, and the upstream must be asked about them first. */
  ASK;

  static Continuation of(OpenAttemptRule rule, ClaimAnswer.Grant grant) {
    if (grant.olderAttempts() == 0) {
      return DISPATCH;
    }
    return switch (rule) {
      case OpenAttemptRule.RolledBack done -> DISPATCH;
      case OpenAttemptRule.SameKeyAgain again ->
          grant.keyLeft().isPositive() ? DISPATCH : onceForgotten(again.then());
      case OpenAttemptRule.AskFirst ask -> ASK;
      case OpenAttemptRule.ParkWhileOpen park ->
          throw new IllegalStateException("granted beside an open attempt that only parks");
    };
  }

  /** Where nobody can be asked the key was alive when the guard judged it, a moment ago. */
  private static Continuation onceForgotten(OpenAttemptRule.Unsure then) {
    return switch (then) {
      case OpenAttemptRule.AskFirst ask -> ASK;
      case OpenAttemptRule.ParkWhileOpen park -> DISPATCH;
    };
  }
}
