package dev.holdfast.ledger;

/**
 * Whose order it is to raise a binding's generation by one, and why. Actor and reason are kept for
 * ever.
 *
 * @param id made by the caller; the same one when the same order is sent again
 * @param expected the generation that the person saw, 0 where it was never rotated; another one
 *     refuses the order
 * @param actor visible NFC text, at most 200 characters
 * @param reason visible NFC text, at most 1,000 characters
 * @param dryRun to be told what would become of it; nothing is changed or recorded
 */
public record Rotation(
    ActId id,
    Scope scope,
    BindingName binding,
    Generation expected,
    String actor,
    String reason,
    boolean dryRun) {
  public Rotation {
    Text.named("the actor", actor, ActTerms.ACTOR_LIMIT);
    Text.named("the reason", reason, ActTerms.REASON_LIMIT);
  }

  /** The generation that it leads to. */
  public Generation next() {
    return new Generation(expected.value() + 1);
  }
}
