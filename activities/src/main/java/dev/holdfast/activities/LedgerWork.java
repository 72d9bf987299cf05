package dev.holdfast.activities;

import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * An effect that is SQL of the ledger's own database.
 *
 * @param <T> type of the activity's result
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LedgerWork<T extends @Nullable Object, X extends Exception> {
  /**
   * Does the effect within the ledger's transaction. Commit, rollback, close and auto-commit belong
   * to the ledger; an exception rolls everything back.
   *
   * @return the activity's result, which is stored with the receipt
   */
  T run(Connection connection) throws X;
}
