package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.QuarantineWarning;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.jooq.Configuration;
import org.jooq.exception.DataAccessException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens transactions of several statements, each on a connection of its own. Safe for use by many
 * threads.
 */
final class LedgerTransaction {
  private static final Logger LOG = LoggerFactory.getLogger(LedgerTransaction.class);

  private final DataSource source;
  private final Configuration configuration;
  private final LedgerOptions options;

  LedgerTransaction(DataSource source, Configuration configuration, LedgerOptions options) {
    this.source = source;
    this.configuration = configuration;
    this.options = options;
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
   * @param leaseRest bounds how long each answer may take
   * @return empty where every round missed; then nothing was stored
   */
  <T> Optional<T> commit(Duration leaseRest, Work<T> work) {
    return LedgerConnection.uninterrupted(
        () -> {
          Optional<T> done = Optional.empty();
          for (int tried = 0; tried < options.retries() && done.isEmpty(); tried++) {
            done = once(leaseRest, work, true);
          }
          return done;
        });
  }

  /** The same, rolled back whatever it answers. */
  <T> Optional<T> look(Duration leaseRest, Work<T> work) {
    return LedgerConnection.uninterrupted(() -> once(leaseRest, work, false));
  }

  private <T> Optional<T> once(Duration leaseRest, Work<T> work, boolean commits) {
    try (OpenTransaction transaction = begin(leaseRest)) {
      Optional<T> done = work.in(transaction);
      if (commits && done.isPresent()) {
        transaction.commit();
        transaction.warnings().forEach(this::tell);
      }
      return done;
    } catch (DataAccessException e) {
      SQLException error = DatabaseFailure.within(e);
      if (DatabaseFailure.asksToRepeat(error)) {
        return Optional.empty();
      }
      throw DatabaseFailure.beforeCommit(error);
    }
  }

  /** Of what was thrown its type alone: a message may say anything. */
  private void tell(QuarantineWarning warning) {
    try {
      options.quarantineListener().quarantined(warning);
    } catch (RuntimeException e) {
      LOG.warn("a quarantine listener threw {}", e.getClass().getName());
    }
  }

  /** For the work of a transaction whose answer was lost. */
  Again again() {
    return new Again(options);
  }

  /** The caller commits or closes it. */
  OpenTransaction begin(Duration leaseRest) {
    try {
      Connection connection = source.getConnection();
      return OpenTransaction.on(
          connection, configuration, options.commitLevel(), options.patience(leaseRest));
    } catch (SQLException e) {
      throw DatabaseFailure.beforeSending(e);
    } catch (DataAccessException e) {
      throw DatabaseFailure.beforeCommit(DatabaseFailure.within(e));
    }
  }
}
