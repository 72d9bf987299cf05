package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Scope;

/**
 * What must agree before an observation may touch an operation. The resource is no part of it: a
 * lease tells who may write, the tuple tells what was done.
 *
 * <p>An observation's tuple comes from its evidence or from the observer's own claim row, never
 * from what a caller echoes.
 */
public record Tuple(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    Epoch epoch) {

  /** The tuple of a reservation in one of its executions. */
  public static Tuple of(Reservation reservation, Epoch epoch) {
    return new Tuple(
        reservation.scope(),
        reservation.operation(),
        reservation.fingerprint(),
        reservation.generation(),
        epoch);
  }

  /** The same under another generation. */
  public Tuple in(Generation other) {
    return new Tuple(scope, operation, fingerprint, other, epoch);
  }

  Match compare(Tuple other) {
    return equals(other) ? Match.SAME : Match.OTHER;
  }

  enum Match {
    SAME,
    OTHER
  }
}
