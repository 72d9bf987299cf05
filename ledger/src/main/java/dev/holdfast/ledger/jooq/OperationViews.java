package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.jooq.impl.DSL.coalesce;

import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.OperationView;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Field;

/** Shows operations to callers, within the transaction that has locked them. */
record OperationViews(DSLContext transaction, String systemId) {
  /**
   * Whose dispatch a receipt was made of; with picked-up evidence not the claim it stands under.
   */
  static final Field<UUID> EVIDENCE_OF = coalesce(RECEIPT.EVIDENCE_CLAIM_ID, RECEIPT.CLAIM_ID);

  OperationView of(OperationRow row) {
    return row.view(systemId, row.hasReceipt() ? evidenceOf(row) : null, isPassedOn(row));
  }

  /** The same of a row whose result was not loaded. */
  OperationView outline(OperationRow row) {
    return row.outline(systemId, row.hasReceipt() ? evidenceOf(row) : null, isPassedOn(row));
  }

  private boolean isPassedOn(OperationRow row) {
    return row.reservation().resource().isShared()
        && transaction.fetchExists(
            RESOURCE,
            RESOURCE.SCOPE.eq(row.reservation().scope().value()),
            RESOURCE.RESOURCE_ID.eq(row.reservation().resource().value()),
            RESOURCE.FENCING_TOKEN.gt(row.token().value()));
  }

  private ClaimId evidenceOf(OperationRow row) {
    return new ClaimId(
        transaction
            .select(EVIDENCE_OF)
            .from(RECEIPT)
            .where(RECEIPT.SCOPE.eq(row.reservation().scope().value()))
            .and(RECEIPT.OPERATION_ID.eq(row.reservation().operation().text()))
            .and(RECEIPT.RECEIPT_NUMBER.eq(row.receiptNumber()))
            .fetchSingle()
            .value1());
  }
}
