package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.DependentsAlert;
import dev.holdfast.ledger.QuarantineWarning;

/** What a transaction has to tell once it is committed, and only then. */
final class News {
  private News() {}

  /** One thing to tell. */
  sealed interface Item {}

  /** An operation waits for a person from now on. */
  record Parked() implements Item {}

  /** Evidence was set aside. */
  record Quarantined(QuarantineWarning warning) implements Item {}

  /** Others were claimed because of a receipt that stands no longer. */
  record Stranded(DependentsAlert alert) implements Item {}
}
