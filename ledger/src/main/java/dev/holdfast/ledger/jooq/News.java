package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.DependentsAlert;
import dev.holdfast.ledger.QuarantineWarning;

/** What a transaction has to tell once it is committed, and only then. */
sealed interface News {
  /** An operation waits for a person from now on. */
  record Parked() implements News {}

  /** Evidence was set aside. */
  record Quarantined(QuarantineWarning warning) implements News {}

  /** Others were claimed because of a receipt that stands no longer. */
  record Stranded(DependentsAlert alert) implements News {}
}
