package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Ledger;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Opens the ledger when the workers start. */
public record LedgerOpening(DataSource dataSource, String schema) implements Supplier<Ledger> {
  @Override
  public Ledger get() {
    throw new IllegalStateException("no ledger in schema " + schema);
  }
}
