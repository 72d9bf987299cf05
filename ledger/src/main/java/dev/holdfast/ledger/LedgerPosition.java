package dev.holdfast.ledger;

/**
 * Where a receipt was numbered: with them a caller can tell a ledger that went back from one that
 * never knew.
 *
 * @param systemId PostgreSQL's system identifier
 * @param timeline raised by every promotion
 */
public record LedgerPosition(String systemId, long timeline) {}
