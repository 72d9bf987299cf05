package dev.holdfast.ledger;

import java.time.Duration;

/** What a claim answers. Only {@link Granted} changed anything and lets the caller act. */
public sealed interface Claim {
  /** The caller holds the lease; its attempt is recorded as intent. */
  record Granted(UndispatchedLease lease) implements Claim {}

  /** The effect is done: its receipt and result, from a durable commit. */
  record Replay(Completion completion, StoredResult result) implements Claim {}

  /** Somebody else holds a live lease on the operation or on its resource. */
  record Busy(Duration retryAfter) implements Claim {}

  /** The operation is reserved under another tuple; nothing of the other one is revealed. */
  record Rejected(Difference difference) implements Claim {}

  /** A definite failure settled this tuple and epoch. */
  record AlreadyFailed(SettledFailure failure) implements Claim {}

  /** Two effects exist, or a success and a failure: a person must resolve it. */
  record Conflicted() implements Claim {}

  /** A person must say what happened. */
  record Parked(String reason) implements Claim {}

  /** An attempt is open, and the upstream may have forgotten its key: nothing may be sent. */
  record KeyHorizonPassed() implements Claim {}

  /** A required operation is not completed with the required tuple and effect. */
  record GateClosed(OperationId required, GateReason reason) implements Claim {}

  /** Rivals kept moving the row; nothing was done, the caller may try again. */
  record Contended() implements Claim {}

  /** Which part of the tuple differs; the first in this order. */
  enum Difference {
    FINGERPRINT,
    GENERATION,
    RESOURCE
  }

  /** Why a gate is closed. */
  enum GateReason {
    /** Nobody claimed the required operation yet. */
    ABSENT,
    /** Its outcome is not known yet. */
    OPEN,
    /** It failed. */
    FAILED,
    /** It waits for a person. */
    CONFLICT,
    /** It is completed, under another tuple, epoch or effect. */
    MISMATCH
  }
}
