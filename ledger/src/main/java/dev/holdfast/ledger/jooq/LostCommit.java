package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LedgerAnswerLostException;
import java.util.List;

/**
 * Nobody knows whether a transaction was committed that has something to tell. Who finds out what
 * became of it has the news told: once, for whatever is done in its place finds the work done.
 */
final class LostCommit extends LedgerAnswerLostException {
  private static final long serialVersionUID = 1L;

  private final transient LedgerTransaction transactions;
  private final long number;
  private final transient List<News.Item> news;

  LostCommit(
      LedgerAnswerLostException lost,
      LedgerTransaction transactions,
      long number,
      List<News.Item> news) {
    super("a commit's answer was lost", lost);
    this.transactions = transactions;
    this.number = number;
    this.news = List.copyOf(news);
  }

  /** Tells the news of each of these losses that was a commit after all. */
  static void tellWhatWasCommitted(LedgerAnswerLostException first) {
    tell(first);
    for (Throwable later : first.getSuppressed()) {
      tell(later);
    }
  }

  private static void tell(Throwable loss) {
    if (loss instanceof LostCommit commit && commit.transactions.isCommitted(commit.number)) {
      commit.transactions.tell(commit.news);
    }
  }
}
