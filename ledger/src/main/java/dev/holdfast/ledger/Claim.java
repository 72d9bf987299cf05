package dev.holdfast.ledger;

import java.time.Duration;
import java.util.List;

/** What a claim answers: a lease, or why there is none. */
public sealed interface Claim {
  /** The caller holds the lease; its attempt is recorded as intent. */
  sealed interface Held extends Claim {
    /** What it holds. */
    HeldLease lease();
  }

  /** There is no lease for the caller. */
  sealed interface Answer extends Claim {}

  /** The caller may dispatch. */
  record Granted(UndispatchedLease lease) implements Held {}

  /**
   * The caller must find out first what became of earlier attempts, and report it ({@link
   * Ledger#reconcile}).
   *
   * @param open those attempts, oldest claim first; empty where they were closed since the claim
   */
  record Reconcile(ReconcilingLease lease, List<OpenAttempt> open) implements Held {
    public Reconcile {
      open = List.copyOf(open);
    }
  }

  /** The effect is done: its receipt and result, from a durable commit. */
  record Replay(Completion completion, StoredResult result) implements Answer {}

  /** Somebody else holds a live lease on the operation or on its resource. */
  record Busy(Duration retryAfter) implements Answer {}

  /** The operation is reserved under another tuple; nothing of the other one is revealed. */
  record Rejected(Difference difference) implements Answer {}

  /**
   * The binding was rotated since the request was made: what it authorized must be asked for anew,
   * or rebound. Where an attempt of it is open that no claim will find out about any more, the
   * operation is parked with this answer.
   *
   * @param current the binding's generation now
   */
  record Superseded(Generation current) implements Answer {}

  /** A definite failure settled this tuple and epoch. */
  record AlreadyFailed(SettledFailure failure) implements Answer {}

  /** Two effects exist, or a success and a failure: a person must resolve it. */
  record Conflicted() implements Answer {}

  /**
   * A person must say what happened.
   *
   * @param reason a word: {@code open_attempt}, {@code key_horizon} (the upstream may have
   *     forgotten the key of an open attempt), {@code superseded} (its binding was rotated, so that
   *     no claim will find out about an open attempt), {@code not_final}, or what a reconciler gave
   */
  record Parked(String reason) implements Answer {
    /** The upstream may have forgotten the key of an open attempt, and cannot be asked. */
    public static final String KEY_HORIZON = "key_horizon";
  }

  /** A required operation is not completed with the required tuple and effect. */
  record GateClosed(OperationId required, GateReason reason) implements Answer {}

  /** Rivals kept moving the row; nothing was done, the caller may try again. */
  record Contended() implements Answer {}

  /** Which part of the tuple differs; the first in this order. */
  enum Difference {
    FINGERPRINT,
    GENERATION,
    RESOURCE
  }

  /** Why a gate is closed. */
  enum GateReason {
    /** Nobody claimed the required operation yet, or the ledger has lost it. */
    ABSENT,
    /**
     * The ledger has the operation, and not the receipt that the caller knows: it went back, by a
     * failover that lost commits or a restored backup, whatever became of the operation since.
     */
    WENT_BACK,
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
