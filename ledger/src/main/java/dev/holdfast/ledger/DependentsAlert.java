package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.OperationState;
import java.time.Instant;
import java.util.List;

/**
 * An operation was completed, others were claimed because of it, and its receipt stands no longer:
 * it was reopened, rebound, decided otherwise or found in conflict. What those others did cannot be
 * taken back by a ledger; somebody should know.
 *
 * @param receipt the one that opened their gates
 * @param after the state that the operation was left in
 * @param dependents those whose claim still stands, in the order of their ids; at most {@link
 *     #LISTED}
 * @param more whether there are further ones
 * @param at database time
 */
public record DependentsAlert(
    Scope scope,
    OperationId operation,
    ReceiptNumber receipt,
    OperationState after,
    List<OperationId> dependents,
    boolean more,
    Instant at) {
  /** 100: enough to see who is concerned; {@link OperatorActs} names them all. */
  public static final int LISTED = 100;

  public DependentsAlert {
    dependents = List.copyOf(dependents);
    if (dependents.isEmpty() || dependents.size() > LISTED) {
      throw new IllegalArgumentException("an alert names 1 to " + LISTED + " dependents");
    }
  }
}
