package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.DependentsAlert;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.QuarantineWarning;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
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
        commit(transaction);
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

  private void commit(OpenTransaction transaction) {
    List<News.Item> news = transaction.news();
    try {
      transaction.commit();
    } catch (LedgerAnswerLostException lost) {
      throw news.isEmpty() ? lost : new LostCommit(lost, this, transaction.number(), news);
    }
    tell(news);
  }

  /** Whether a transaction whose answer was lost was committed; false where nobody can say. */
  boolean isCommitted(long number) {
    try (OpenTransaction look = begin(Duration.ZERO)) {
      return OpenTransaction.COMMITTED.equals(look.statusOf(number));
    } catch (LedgerUnavailableException | DataAccessException e) {
      LOG.debug("a lost commit could not be asked about: {}", e.getClass().getName());
      return false;
    }
  }

  /** Of what was thrown its type alone: a message may say anything. */
  void tell(List<News.Item> news) {
    for (News.Item one : news) {
      try {
        tell(one);
      } catch (RuntimeException e) {
        LOG.warn("a listener threw {}", e.getClass().getName());
      }
    }
  }

  private void tell(News.Item one) {
    switch (one) {
      case News.Parked parked -> options.listener().parked();
      case News.Quarantined(QuarantineWarning warning) ->
          options.quarantineListener().quarantined(warning);
      case News.Stranded(DependentsAlert alert) -> {
        LOG.warn(
            "completed_left_with_dependents: operation {} became {}, and because of its receipt {}"
                + " there were claimed {}{}",
            alert.operation(),
            alert.after().word(),
            alert.receipt(),
            alert.dependents(),
            alert.more() ? " and more" : "");
        options.listener().dependentsStranded(alert);
      }
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
