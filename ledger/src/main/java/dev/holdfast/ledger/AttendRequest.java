package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.SettlementPolicy;

/**
 * Who looks after an operation that nobody works on, and what may be done about it.
 *
 * @param fingerprint with {@code generation} the tuple it must be reserved under, else nothing is
 *     done
 * @param rule what open attempts allow: the same as its claims are made under
 * @param policy what happens where two stored successes disagree
 * @param worker who picks stored evidence up
 * @param origin where the look comes from; kept with a receipt that is made of stored evidence
 */
public record AttendRequest(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    OpenAttemptRule rule,
    SettlementPolicy policy,
    WorkerName worker,
    AttemptOrigin origin) {

  /** Whether that is the tuple it asks about. */
  public boolean isAbout(Reservation reservation) {
    return reservation.fingerprint().equals(fingerprint)
        && reservation.generation().equals(generation);
  }
}
