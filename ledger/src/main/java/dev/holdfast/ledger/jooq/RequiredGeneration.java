package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.settlement.GenerationRule;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import org.jooq.DSLContext;

/** Which generation the evidence of a success must carry, asked behind the operation's lock. */
final class RequiredGeneration {
  private RequiredGeneration() {}

  /** Never one that is older than the reservation's: a person may have moved it on. */
  static Generation of(DSLContext transaction, OperationRow row, SettlementPolicy policy) {
    Generation reserved = row.reservation().generation();
    return switch (policy.generation()) {
      case GenerationRule.OfReservation plain -> reserved;
      case GenerationRule.Live(var binding) -> {
        Generation live =
            RotateTransaction.current(transaction, row.reservation().scope(), binding);
        yield live.value() > reserved.value() ? live : reserved;
      }
    };
  }
}
