package dev.holdfast.ledger;

import dev.holdfast.ledger.settlement.GenerationRule;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One claim: reserve, acquire and record the intent, atomically.
 *
 * @param reservation the tuple
 * @param claimId made by the caller; the same one when the same claim is sent again
 * @param worker who will renew
 * @param origin where the claim comes from
 * @param leaseFor how long the lease lasts unless renewed
 * @param dispatchWithin no dispatch starts later than this after the claim (at least {@code
 *     leaseFor})
 * @param inFlight how long after its dispatch a request may still land or become visible
 * @param margin what must remain of the lease when the receipt is committed
 * @param rule what open attempts allow
 * @param policy what happens where two verified truths disagree, and which generation evidence must
 *     carry
 * @param gates completions that must stand, of this scope; empty for none
 * @param binding whose current generation the reservation's must be; null where the request stands
 *     under none, which costs nothing
 */
public record ClaimRequest(
    Reservation reservation,
    ClaimId claimId,
    WorkerName worker,
    AttemptOrigin origin,
    Duration leaseFor,
    Duration dispatchWithin,
    Duration inFlight,
    LeaseMargin margin,
    OpenAttemptRule rule,
    SettlementPolicy policy,
    List<Completion> gates,
    @Nullable BindingName binding) {

  public ClaimRequest {
    if (!leaseFor.isPositive() || dispatchWithin.compareTo(leaseFor) < 0 || inFlight.isNegative()) {
      throw new IllegalArgumentException(
          "a claim needs a positive lease within its dispatch bound");
    }
    if (binding != null
        && policy.generation() instanceof GenerationRule.Live(BindingName live)
        && !live.equals(binding)) {
      throw new IllegalArgumentException(
          "evidence must carry the live generation of the binding that the claim stands under");
    }
    gates = List.copyOf(gates);
    for (Completion gate : gates) {
      if (!gate.scope().equals(reservation.scope())) {
        throw new IllegalArgumentException("a gate sees its own scope only");
      }
      if (gate.operation().equals(reservation.operation())) {
        throw new IllegalArgumentException("an operation cannot be its own gate");
      }
    }
  }

  /** One that stands under no binding. */
  public ClaimRequest(
      Reservation reservation,
      ClaimId claimId,
      WorkerName worker,
      AttemptOrigin origin,
      Duration leaseFor,
      Duration dispatchWithin,
      Duration inFlight,
      LeaseMargin margin,
      OpenAttemptRule rule,
      SettlementPolicy policy,
      List<Completion> gates) {
    this(
        reservation,
        claimId,
        worker,
        origin,
        leaseFor,
        dispatchWithin,
        inFlight,
        margin,
        rule,
        policy,
        gates,
        null);
  }

  /** The same under this binding. */
  public ClaimRequest boundTo(BindingName to) {
    return new ClaimRequest(
        reservation,
        claimId,
        worker,
        origin,
        leaseFor,
        dispatchWithin,
        inFlight,
        margin,
        rule,
        policy,
        gates,
        to);
  }
}
