package dev.holdfast.ledger.settlement;

/**
 * What becomes of an operation whose pending evidence is picked up.
 *
 * @param <E> how the caller holds a stored success
 */
public sealed interface PickUp<E extends StoredSuccess> {

  /** No stored success bears the operation's tuple. */
  record Nothing<E extends StoredSuccess>() implements PickUp<E> {}

  /**
   * One effect: completed, with a receipt under the picker's own token, in one transaction.
   *
   * @param evidence the first to be stored; others of the same effect would do as well
   */
  record Completes<E extends StoredSuccess>(E evidence) implements PickUp<E> {}

  /** Two truths: conflict, no receipt. */
  record Conflicts<E extends StoredSuccess>() implements PickUp<E> {}
}
