package dev.holdfast.ledger;

import java.sql.Connection;

/** An effect that is SQL of the ledger's own database, committed together with its receipt. */
@FunctionalInterface
public interface TransactionalEffect {
  /**
   * Does the effect. The connection's transaction, auto-commit and isolation belong to the ledger:
   * commit, rollback and close on it are refused.
   *
   * @return what the receipt will say
   * @throws Exception rolls everything back; nothing was done
   */
  Effected run(Connection connection) throws Exception;

  /** What the effect yielded. */
  record Effected(VerifiedResponse response, StoredResult result) {}
}
