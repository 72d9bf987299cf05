package dev.holdfast.activities;

import java.util.concurrent.atomic.LongAdder;

/** What a worker counts since it started. Safe for use by several threads. */
public final class HoldfastCounters {
  private final LongAdder keyNotSent = new LongAdder();
  private final LongAdder reconciled = new LongAdder();
  private final LongAdder readBacks = new LongAdder();
  private final LongAdder parked = new LongAdder();
  private final LongAdder serverMoves = new LongAdder();
  private final LongAdder sweptLeases = new LongAdder();
  private final LongAdder sweptEvidence = new LongAdder();
  private final LongAdder failedSweeps = new LongAdder();
  private final LongAdder refusedDeliveries = new LongAdder();

  /**
   * Successes of upstreams that honour keys whose dispatch never read its key ({@code
   * key_not_sent}): their receipts stand, but a retry would have been a second effect.
   */
  public long keyNotSent() {
    return keyNotSent.sum();
  }

  /** Counts one more; called by the barrier. */
  public void countKeyNotSent() {
    keyNotSent.increment();
  }

  /**
   * How often an upstream was asked about an earlier attempt and the ledger was told what came of
   * it; a claim that asked nobody is not counted.
   */
  public long reconciled() {
    return reconciled.sum();
  }

  /** Counts one more; called by the barrier. */
  public void countReconciled() {
    reconciled.increment();
  }

  /**
   * How often an answer of the ledger was lost and what became of the request was looked for:
   * claims and settlements by their claim id, ends, findings, abandons and what a workflow's look
   * does by sending them again.
   */
  public long readBacks() {
    return readBacks.sum();
  }

  /** Counts one more; called by the ledger. */
  public void countReadBack() {
    readBacks.increment();
  }

  /**
   * How often an operation was parked by this worker, an answer that was lost and found out about
   * included; it never falls. What waits now, the operators' list tells.
   */
  public long parked() {
    return parked.sum();
  }

  /** Counts one more; called by the ledger. */
  public void countParked() {
    parked.increment();
  }

  /**
   * How often the ledger was found on another server or timeline than before: after a promotion or
   * a restore, which may have lost receipts.
   */
  public long serverMoves() {
    return serverMoves.sum();
  }

  /** Counts one more; called by the ledger. */
  public void countServerMove() {
    serverMoves.increment();
  }

  /** How many leases that were over this worker's sweeps demoted ({@code setSweepEvery}). */
  public long sweptLeases() {
    return sweptLeases.sum();
  }

  /** Of how many operations this worker's sweeps picked stored evidence up. */
  public long sweptEvidence() {
    return sweptEvidence.sum();
  }

  /** Counts what one sweep did; called by the worker's schedule. */
  public void countSwept(int leases, int evidence) {
    sweptLeases.add(leases);
    sweptEvidence.add(evidence);
  }

  /** How many sweeps failed, for the ledger was out of reach; the log has one line an outage. */
  public long failedSweeps() {
    return failedSweeps.sum();
  }

  /** Counts one more; called by the worker's schedule. */
  public void countFailedSweep() {
    failedSweeps.increment();
  }

  /**
   * How many messages of {@link AttestedDeliveries} were not believed, every single one of them;
   * the ledger keeps one for each operation and reason alone.
   */
  public long refusedDeliveries() {
    return refusedDeliveries.sum();
  }

  /** Counts one more; called where deliveries are taken in. */
  public void countRefusedDelivery() {
    refusedDeliveries.increment();
  }
}
