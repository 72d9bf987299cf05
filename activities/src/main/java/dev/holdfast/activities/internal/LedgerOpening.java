package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import java.util.function.Supplier;
import javax.sql.DataSource;

/**
 * Opens the ledger when the workers start: only then must the database be there.
 *
 * @param options how the ledger uses the database
 */
public record LedgerOpening(DataSource dataSource, LedgerOptions options)
    implements Supplier<Ledger> {
  @Override
  public Ledger get() {
    return JooqLedger.open(dataSource, options);
  }
}
