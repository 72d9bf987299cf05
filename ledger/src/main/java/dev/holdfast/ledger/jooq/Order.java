package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Sha256;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a person orders.
 *
 * @param decision of a resolve; else null
 * @param force of a reopen; a decision bears its own
 * @param rebind of a rebind; else null
 */
record Order(@Nullable Decision decision, boolean force, @Nullable Rebind rebind) {
  static Order resolve(Decision decision) {
    return new Order(decision, false, null);
  }

  static Order reopen(boolean force) {
    return new Order(null, force, null);
  }

  static Order rebind(Rebind rebind) {
    return new Order(null, false, rebind);
  }

  /** Whether it changes the reservation, so that a history row must keep what it was. */
  boolean changesReservation() {
    return decision == null;
  }

  /** The change's word in {@code reservation_history}. */
  String changeWord() {
    return rebind == null ? "reopen" : rebind.mode().name().toLowerCase(Locale.ROOT);
  }

  /** The generation that a rebind leads to. */
  @Nullable Generation leadsTo() {
    return rebind == null ? null : rebind.to();
  }

  /** The verb's word in {@code operator_act}. */
  String verb() {
    if (rebind != null) {
      return "rebind";
    }
    return decision == null ? "reopen" : "resolve";
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
