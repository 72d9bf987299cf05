package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LedgerUnavailableException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.exception.DataAccessException;

/**
 * Opens transactions of several statements, each on a connection of its own. Safe for use by many
 * threads.
 */
final class LedgerTransaction {
  /** Tries in all; a rival that wins each of them is no accident any more. */
  private static final int ROUNDS = 5;

  private final DataSource source;
  private final Configuration configuration;

  LedgerTransaction(DataSource source, Configuration configuration) {
    this.source = source;
    this.configuration = configuration;
  }

  /** What one transaction does. */
  @FunctionalInterface
  interface Work<T> {
    /** Empty where a compare-and-set missed: everything is rolled back and done again. */
    Optional<T> in(OpenTransaction transaction);
  }

  /**
   * Does the work and commits it, again where it missed or the database chose it as a victim.
   *
   * @return empty where every round missed; then nothing was stored
   */
  <T> Optional<T> commit(Work<T> work) {
    Optional<T> done = Optional.empty();
    for (int round = 0; round < ROUNDS && done.isEmpty(); round++) {
      done = once(work);
    }
    return done;
  }

  private <T> Optional<T> once(Work<T> work) {
    try (OpenTransaction transaction = begin()) {
      Optional<T> done = work.in(transaction);
      if (done.isPresent()) {
        transaction.commit();
      }
      return done;
    } catch (DataAccessException e) {
      if (SqlState.of(e).asksToRepeat()) {
        return Optional.empty();
      }
      throw new LedgerUnavailableException("the ledger refused: nothing was stored", e);
    }
  }

  /** The caller commits or closes it. */
  OpenTransaction begin() {
    try {
      Connection connection = source.getConnection();
      return OpenTransaction.on(connection, configuration);
    } catch (SQLException | DataAccessException e) {
      throw new LedgerUnavailableException("no transaction could be begun", e);
    }
  }
}
