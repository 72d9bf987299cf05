package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.SettlementPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Who looks after an operation that nobody works on, and what may be done about it.
 *
 * @param fingerprint with {@code generation} the tuple it must be reserved under, else nothing is
 *     done
 * @param rule what open attempts allow: the same as its claims are made under
 * @param policy what happens where two stored successes disagree
 * @param worker who picks stored evidence up
 * @param origin where the look comes from; kept with a receipt that is made of stored evidence
 * @param binding that its claims are made under; where it was rotated since, none will be granted,
 *     so that an open attempt waits for a person. Null where they stand under none
 */
public record AttendRequest(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    OpenAttemptRule rule,
    SettlementPolicy policy,
    WorkerName worker,
    AttemptOrigin origin,
    @Nullable BindingName binding) {

  /** Of one that stands under no binding. */
  public AttendRequest(
      Scope scope,
      OperationId operation,
      RequestFingerprint fingerprint,
      Generation generation,
      OpenAttemptRule rule,
      SettlementPolicy policy,
      WorkerName worker,
      AttemptOrigin origin) {
    this(scope, operation, fingerprint, generation, rule, policy, worker, origin, null);
  }

  /** The same under this binding; null for none. */
  public AttendRequest boundTo(@Nullable BindingName to) {
    return new AttendRequest(
        scope, operation, fingerprint, generation, rule, policy, worker, origin, to);
  }

  /** Whether that is the tuple it asks about. */
  public boolean isAbout(Reservation reservation) {
    return reservation.fingerprint().equals(fingerprint)
        && reservation.generation().equals(generation);
  }
}
