package dev.holdfast.ledger;

import java.util.List;
import java.util.Optional;

/**
 * What a person sees of the ledger and may order. Apart from {@link Ledger}, so that a worker
 * cannot reach it. Safe for use by many threads; exceptions are the infrastructure's alone, as
 * there.
 */
public interface OperatorActs {
  /** Operations that wait for a person or a pick-up, those that have waited longest first. */
  List<AwaitingOperation> list(AwaitingQuery query);

  /** All that is kept of one operation; empty where nobody claimed it. Changes nothing. */
  Optional<OperationStory> show(Scope scope, OperationId operation);

  /**
   * Decides an operation that waits for a person. Recorded with actor and reason in the same
   * commit; the fencing token rises, so that who held the operation before is fenced off. Ordered
   * again under the same {@link ActTerms#id id} it is not done again, but answered as it was then.
   *
   * @throws LedgerAnswerLostException when nobody knows whether it was done: order it again under
   *     the same id
   */
  ActOutcome resolve(ActTerms terms, Decision decision);

  /**
   * Orders that a completed or failed operation be run again: a new epoch, hence a new upstream
   * key. Recorded as {@link #resolve} is.
   *
   * @param force although a request of an open attempt may still land; kept on the record
   * @throws LedgerAnswerLostException when nobody knows whether it was done: order it again under
   *     the same id
   */
  ActOutcome reopen(ActTerms terms, boolean force);

  /**
   * Moves an operation to a newer binding generation. Refused while a lease is live, it is parked
   * (for anything but {@code superseded}, which {@link Rebind.Mode#CARRY} ends), two truths
   * conflict or evidence waits; {@link Rebind.Mode#RE_EXECUTE} also while any attempt is open. Who
   * reports under the older generation afterwards is quarantined. Recorded as {@link #resolve} is.
   *
   * @throws IllegalArgumentException when the terms name another operation than the expected tuple
   * @throws LedgerAnswerLostException when nobody knows whether it was done: {@link #show} tells,
   *     and the same terms ordered again are answered as they were
   */
  ActOutcome rebind(ActTerms terms, Rebind rebind);

  /**
   * Raises the generation of a binding by one, so that claims under the older one are refused.
   * Recorded with actor and reason in the same commit. The same order sent again is answered as it
   * was, and done once.
   *
   * @throws IllegalArgumentException when the id is another order's
   * @throws LedgerAnswerLostException when nobody knows whether it was done: send it again
   */
  RotateOutcome rotate(Rotation rotation);
}
