package dev.holdfast;

/**
 * Which database server a receipt was committed on: another number of either kind tells that the
 * ledger was restored or failed over since.
 *
 * @param systemId PostgreSQL's system identifier
 * @param timeline PostgreSQL's timeline, 1 or more
 */
public record LedgerIncarnation(long systemId, int timeline) {
  public LedgerIncarnation {
    if (timeline < 1) {
      throw new IllegalArgumentException("a timeline starts at 1: " + timeline);
    }
  }
}
