package dev.holdfast.ledger.settlement;

import java.util.Deque;

/**
 * One step of a history.
 *
 * @param origin where the history began
 * @param path all its steps up to this one; valid while it is looked at
 */
record Change(
    String origin,
    Deque<Step> path,
    SimulatedOperation before,
    Step step,
    SimulatedOperation after) {

  boolean isReport() {
    return step instanceof Step.Report;
  }

  boolean isMismatch() {
    return step instanceof Step.Report report && !report.matches();
  }

  boolean isUnseen() {
    return step instanceof Step.Report report && !report.isDefinite();
  }

  boolean reaches(OperationState state) {
    return before.state() != state && after.state() == state;
  }

  /** By the attempt with the highest token, under a lease whose margin is kept. */
  boolean isByLiveHolder() {
    return step instanceof Step.Report report
        && report.attempt() == before.claims()
        && before.lease() == LeaseStanding.LIVE;
  }

  @Override
  public String toString() {
    return origin + " " + path + ": " + before + " became " + after;
  }
}
