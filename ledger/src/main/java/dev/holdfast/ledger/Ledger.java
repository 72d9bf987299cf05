package dev.holdfast.ledger;

import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;

/**
 * The PostgreSQL truth about shared durable effects. One operation goes through: {@link #claim},
 * the dispatch by the caller, {@link #settle}, {@link #release}; the types let no other order
 * compile.
 *
 * <p>Each verb is at most one statement in its own transaction on the plain path, on a connection
 * of its own; none is held between verbs. Safe for use by many threads. Answers are values;
 * exceptions are the infrastructure's alone: {@link LedgerUnavailableException} says that nothing
 * happened, {@link LedgerAnswerLostException} that nobody knows. What can be read back or repeated
 * after a lost answer has been, for as long as the lease lasts.
 */
public interface Ledger {
  /**
   * Reserves the operation, acquires its lease and records the attempt, atomically; or says why
   * not. A losing caller has changed no row, but for this: evidence that was stored is picked up,
   * and an operation is parked where only a person can tell what became of an attempt.
   *
   * @throws LedgerUnavailableException also where the request bears the claim id of an attempt that
   *     others followed: nothing was claimed, and only a fresh id can be
   */
  Claim claim(ClaimRequest request);

  /**
   * Commits the receipt of a verified success while the lease still has its margin, and the result
   * with it. A holder that lost the lease has its evidence stored, so that no success is lost.
   */
  SettleOutcome settle(Lease lease, VerifiedResponse response, StoredResult result);

  /**
   * Runs the effect and commits its receipt in one transaction, the operation's row locked
   * throughout. Whatever but {@link SettleOutcome.Committed} comes back was rolled back: nothing
   * was done.
   *
   * @throws Exception what the effect threw, after the rollback
   */
  SettleOutcome settleInTransaction(Lease lease, TransactionalEffect effect) throws Exception;

  /** Records how a dispatched attempt ended without a verified success, and ends its lease. */
  EndOutcome end(Lease lease, AttemptEnd end);

  /**
   * Reports what came of asking about the open attempts. It happened: settled as by {@link
   * #settle}. It did not, for good: every older attempt is closed, and the lease may dispatch. For
   * good means {@link Finding.Finality#FENCED fenced}, or the horizon of every older attempt had
   * passed, by the database's clock, when this lease was claimed: the question was asked after
   * that. In all other cases the lease is given back. After an exception it may be asked for again.
   *
   * @throws IllegalArgumentException when the effect that was found bears the asking claim's id, or
   *     the attempt is not one of the open ones
   * @throws IllegalStateException when the lease may dispatch already, and something else was found
   */
  ReconcileOutcome reconcile(ReconcilingLease lease, Finding finding);

  /** Gives up the lease of a committed receipt, through the pre-unlock gate. */
  ReleaseOutcome release(ReleasePermit permit);

  /**
   * Gives back a lease under which nothing was dispatched, and closes its attempt. After an
   * exception it may be asked for again; a dispatch is refused from the first time on.
   */
  AbandonOutcome abandon(UndispatchedLease lease);

  /**
   * Prolongs those leases that still live and are not locked by a statement under way.
   *
   * @return the claims that were renewed; a missing one may be lost or just locked
   */
  Set<ClaimId> renew(Collection<? extends HeldLease> leases, Duration leaseFor);

  /**
   * Does what a claim would do short of granting, for an operation that nobody holds a live lease
   * of: stored evidence is picked up, a lease that is over is demoted to {@code unknown}, and the
   * operation is parked where the rule leaves an open attempt to a person. Under another tuple,
   * under a live lease or settled, it is only read.
   *
   * @return the operation as it stands afterwards; empty where nobody claimed it
   */
  Optional<OperationView> attend(AttendRequest request);

  /**
   * Stores a success that an upstream signed and sent by itself, judged as every observation is:
   * pending where the operation is open, recorded or in conflict where it is settled, set aside
   * under another tuple. It completes nothing; a claim or {@link #attend} picks it up. The same one
   * again changes nothing.
   */
  AttestOutcome attest(AttestedSuccess success);

  /**
   * Keeps that such a message came, for people; nothing else changes. One for each operation and
   * reason is kept for ever, however many come, so that whoever can send them fills no ledger;
   * never one of an operation that nobody claimed.
   *
   * @return whether this was the one that is kept
   */
  boolean observe(UnverifiedDelivery delivery);

  /** Looks after operations that nobody works on. */
  Sweeper sweeper();

  /** The generation that claims under this binding must bear; 0 where it was never rotated. */
  Generation currentBinding(Scope scope, BindingName binding);

  /** Reads one operation; empty where nobody claimed it. */
  Optional<OperationView> read(Scope scope, OperationId operation);

  /**
   * Whether the ledger has the receipt of this completion, which its caller was told of before. It
   * keeps every receipt: without it the ledger went back, by a failover that lost commits or a
   * restored backup. Says nothing of how the operation stands.
   */
  boolean hasReceipt(Completion completion);

  /**
   * Where an earlier claim of this operation came from; empty where there was none of this id, and
   * for the one that stands in the operation itself ({@link OperationView#claimOrigin}).
   */
  Optional<AttemptOrigin> originOf(Scope scope, OperationId operation, ClaimId earlier);
}
