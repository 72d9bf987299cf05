package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.greatest;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.with;

import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.jooq.HeldRow.WhenLocked;
import dev.holdfast.ledger.jooq.generated.tables.Operation;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jooq.CommonTableExpression;
import org.jooq.Query;

/** Prolongs a lease that lives and is not locked; it never waits and never revives. */
final class RenewStatement {
  private static final Operation O = HeldRow.O;
  private static final String LEASE = "lease";

  private final PostgresClock clock;
  private final HeldRow row;
  private final LeaseRows rows;
  private final ScalarStatement statement;

  RenewStatement(LedgerSql sql, LeaseRows rows) {
    this.clock = sql.clock();
    this.rows = rows;
    this.row = new HeldRow(rows, WhenLocked.SKIP, clock);
    this.statement = ScalarStatement.of(sql, statement(StatementSettings.asInSession()));
  }

  /** The statement with its parameters named. */
  String text() {
    return statement.text();
  }

  /** Renews each of these that lives and is not locked; which ones, in the same order. */
  List<Boolean> execute(
      Connection connection,
      List<? extends HeldLease> leases,
      Duration leaseFor,
      Supplier<Bindings> settings)
      throws SQLException {
    List<Bindings> each = new ArrayList<>();
    for (HeldLease lease : leases) {
      Bindings values = Parameters.holder(settings.get(), lease);
      each.add(Parameters.span(values, LEASE, leaseFor));
    }
    return statement.updateEach(connection, each);
  }

  private Query statement(CommonTableExpression<?> settings) {
    List<CommonTableExpression<?>> parts =
        new ArrayList<>(row.locked(settings, O.RELEASED.eq(inline(false)), List.of()));
    CommonTableExpression<?> alive =
        name("alive")
            .asMaterialized(
                select(parts.getLast().asterisk())
                    .from(parts.getLast())
                    .where(HeldRow.LEASE_END.gt(HeldRow.JUDGED_AT)));
    parts.add(alive);
    if (rows == LeaseRows.SHARED) {
      parts.add(row.resourceProlonged(alive, Parameters.seconds(LEASE)));
    }
    return with(parts.toArray(CommonTableExpression<?>[]::new))
        .update(O)
        .set(
            O.EXPIRES_AT,
            greatest(O.EXPIRES_AT, clock.after(HeldRow.JUDGED_AT, Parameters.seconds(LEASE))))
        .from(alive)
        .where(HeldRow.sameRow());
  }
}
