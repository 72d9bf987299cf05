package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.exists;
import static org.jooq.impl.DSL.notExists;
import static org.jooq.impl.DSL.selectOne;
import static org.jooq.impl.DSL.val;

import dev.holdfast.ledger.UnverifiedDelivery;
import dev.holdfast.ledger.settlement.Tuple;
import java.time.Duration;
import java.util.Optional;
import org.jooq.Condition;
import org.jooq.DSLContext;

/**
 * Keeps what proves nothing, once for each operation and reason; an index makes that exact however
 * many send at once. It takes no lock that a holder could wait for, and what is kept already costs
 * a look. Safe for use by many threads.
 */
final class UnverifiedDeliveries {
  private static final String NOBODY = "none";
  private static final String KIND = "timed_out";

  private final LedgerTransaction transactions;
  private final PostgresClock clock;

  UnverifiedDeliveries(LedgerTransaction transactions, PostgresClock clock) {
    this.transactions = transactions;
    this.clock = clock;
  }

  boolean observe(UnverifiedDelivery delivery) {
    return transactions
        .commit(Duration.ZERO, open -> Optional.of(insert(open.dsl(), delivery)))
        .orElse(false);
  }

  private boolean insert(DSLContext transaction, UnverifiedDelivery delivery) {
    Tuple claimed = delivery.claimed();
    return transaction
            .insertInto(
                OBSERVATION,
                OBSERVATION.SCOPE,
                OBSERVATION.OPERATION_ID,
                OBSERVATION.OBSERVER,
                OBSERVATION.KIND,
                OBSERVATION.REASON,
                OBSERVATION.DISPOSITION,
                OBSERVATION.CLOSES_ATTEMPT,
                OBSERVATION.FINGERPRINT_SCHEME,
                OBSERVATION.FINGERPRINT_SHA256,
                OBSERVATION.GENERATION,
                OBSERVATION.EPOCH,
                OBSERVATION.RESPONSE_SHA256,
                OBSERVATION.OBSERVED_AT)
            .select(
                transaction
                    .select(
                        val(claimed.scope().value()),
                        val(claimed.operation().text()),
                        val(NOBODY),
                        val(KIND),
                        val(delivery.reason()),
                        val("recorded"),
                        val(false),
                        val(claimed.fingerprint().scheme()),
                        val(claimed.fingerprint().digest().bytes()),
                        val(claimed.generation().value()),
                        val(claimed.epoch().value()),
                        val(delivery.body().bytes()),
                        clock.now())
                    .where(exists(selectOne().from(OPERATION).where(isOf(claimed))))
                    .and(notExists(selectOne().from(OBSERVATION).where(isKept(delivery)))))
            .onConflictDoNothing()
            .execute()
        == 1;
  }

  private static Condition isOf(Tuple claimed) {
    return OPERATION
        .SCOPE
        .eq(claimed.scope().value())
        .and(OPERATION.OPERATION_ID.eq(claimed.operation().text()));
  }

  private static Condition isKept(UnverifiedDelivery delivery) {
    return OBSERVATION
        .SCOPE
        .eq(delivery.claimed().scope().value())
        .and(OBSERVATION.OPERATION_ID.eq(delivery.claimed().operation().text()))
        .and(OBSERVATION.REASON.eq(delivery.reason()))
        .and(OBSERVATION.OBSERVER.eq(NOBODY))
        .and(OBSERVATION.KIND.eq(KIND));
  }
}
