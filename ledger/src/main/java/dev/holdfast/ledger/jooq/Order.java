package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * What a person orders.
 *
 * @param decision of a resolve; null to reopen
 * @param force of a reopen; a decision bears its own
 */
record Order(@Nullable Decision decision, boolean force) {
  static Order resolve(Decision decision) {
    return new Order(decision, false);
  }

  static Order reopen(boolean force) {
    return new Order(null, force);
  }

  boolean isReopen() {
    return decision == null;
  }

  /** The verb's word in {@code operator_act}. */
  String verb() {
    return isReopen() ? "reopen" : "resolve";
  }

  /** The decision's word there. */
  @Nullable String decisionWord() {
    return switch (decision) {
      case null -> null;
      case Decision.Happened happened -> "happened";
      case Decision.DidNotHappen not -> "did_not_happen";
      case Decision.ReceiptStands stands -> "receipt_stands";
      case Decision.Failed failed -> "failed";
    };
  }

  /** Digest of what the person was shown. */
  @Nullable Sha256 evidence() {
    return decision instanceof Decision.Happened happened ? happened.evidence() : null;
  }
}
