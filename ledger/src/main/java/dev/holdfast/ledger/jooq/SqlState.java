package dev.holdfast.ledger.jooq;

import java.sql.SQLException;
import org.jooq.exception.DataAccessException;
import org.jspecify.annotations.Nullable;

/** What the five characters behind an error say about the fate of a transaction. */
record SqlState(@Nullable String code) {

  static SqlState of(SQLException error) {
    return new SqlState(error.getSQLState());
  }

  static SqlState of(DataAccessException error) {
    return new SqlState(error.sqlState());
  }

  /** Deadlock or serialization failure: the database asks to do it again. */
  boolean asksToRepeat() {
    return "40P01".equals(code) || "40001".equals(code);
  }

  /**
   * Whether this answer to COMMIT says that nothing was committed: rolled back, a constraint, a
   * transaction that had failed before, or the ledger's own triggers. Any other answer, and none,
   * leaves it open.
   */
  boolean deniesCommit() {
    return code != null
        && (code.startsWith("40")
            || code.startsWith("23")
            || code.startsWith("25")
            || code.startsWith("HF"));
  }
}
