package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.DependentsAlert;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.ReceiptNumber;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.settlement.OperationState;
import java.util.List;
import org.jooq.DSLContext;
import org.jooq.Record1;
import org.jooq.SelectSeekStep1;

/** Operations that were claimed because another one was completed. They are named, not locked. */
final class Dependents {
  private Dependents() {}

  /** All whose gates this receipt opened. */
  static List<OperationId> of(DSLContext transaction, Scope scope, long receipt) {
    return query(transaction, scope, receipt).fetch(found -> OperationId.parse(found.value1()));
  }

  /** Has it told where the operation is completed no longer: after the lock, in a statement. */
  static void tell(OpenTransaction open, OperationRow before, OperationState after) {
    if (before.state() == OperationState.COMPLETED && after != OperationState.COMPLETED) {
      List<OperationId> some =
          query(open.dsl(), before.reservation().scope(), before.receiptNumber())
              .limit(DependentsAlert.LISTED + 1)
              .fetch(found -> OperationId.parse(found.value1()));
      tell(open, before, after, some);
    }
  }

  /** Has it told where there are any. */
  static void tell(
      OpenTransaction open, OperationRow before, OperationState after, List<OperationId> all) {
    if (!all.isEmpty()) {
      boolean more = all.size() > DependentsAlert.LISTED;
      open.tell(
          new News.Stranded(
              new DependentsAlert(
                  before.reservation().scope(),
                  before.reservation().operation(),
                  new ReceiptNumber(before.receiptNumber()),
                  after,
                  more ? all.subList(0, DependentsAlert.LISTED) : all,
                  more,
                  before.judgedAt())));
    }
  }

  private static SelectSeekStep1<Record1<String>, String> query(
      DSLContext transaction, Scope scope, long receipt) {
    return transaction
        .select(OPERATION.OPERATION_ID)
        .from(OPERATION)
        .where(OPERATION.GATE_RECEIPTS.contains(new Long[] {receipt}))
        .and(OPERATION.GATE_RECEIPTS.isNotNull())
        .and(OPERATION.SCOPE.eq(scope.value()))
        .orderBy(OPERATION.OPERATION_ID);
  }
}
