package dev.holdfast.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Whose act it is, on what, and why. Actor and reason are kept for ever.
 *
 * @param id the same one when the same act is ordered again: done once, it is answered as it was
 *     then. All that is ordered must be the same, the expected revision and the instant of the look
 *     aside; another order under the id is refused. For another act a fresh one
 * @param expected the revision that the person saw; another one refuses the act. Null to act on
 *     whatever stands
 * @param actor visible NFC text, at most 200 characters
 * @param reason visible NFC text, at most 1,000 characters
 * @param dryRun to be told what would become of it, or what became of it where the act was done
 *     before; nothing is changed or recorded
 */
public record ActTerms(
    ActId id,
    Scope scope,
    OperationId operation,
    @Nullable Revision expected,
    String actor,
    String reason,
    boolean dryRun) {
  static final int ACTOR_LIMIT = 200;
  static final int REASON_LIMIT = 1_000;

  public ActTerms {
    Text.named("the actor", actor, ACTOR_LIMIT);
    Text.named("the reason", reason, REASON_LIMIT);
  }

  /** Of an act under a fresh id. */
  public ActTerms(
      Scope scope,
      OperationId operation,
      @Nullable Revision expected,
      String actor,
      String reason,
      boolean dryRun) {
    this(ActId.random(), scope, operation, expected, actor, reason, dryRun);
  }
}
