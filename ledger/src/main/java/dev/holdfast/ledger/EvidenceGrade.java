package dev.holdfast.ledger;

/** How the tuple of a reported success is known. */
public enum EvidenceGrade {
  /** The holder received the response itself, over the exchange it opened under its own claim. */
  WITNESSED,
  /** The upstream signed the tuple. */
  ATTESTED,
  /** A reconciler asked the upstream what had happened. */
  RECONCILED,
  /** A person said so. */
  OPERATOR
}
