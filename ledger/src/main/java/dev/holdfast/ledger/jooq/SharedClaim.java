package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Claims an operation and the shared resource it names: one transaction of two statements, the
 * resource's row first, both or none. Safe for use by many threads.
 */
final class SharedClaim {
  private final LedgerTransaction transactions;
  private final LedgerSql sql;
  private final LedgerOptions options;
  private final ResourceClaimStatement resource;
  private final Map<Integer, ClaimStatement> byGates = new ConcurrentHashMap<>();

  SharedClaim(LedgerTransaction transactions, LedgerSql sql, LedgerOptions options) {
    this.transactions = transactions;
    this.sql = sql;
    this.options = options;
    this.resource = new ResourceClaimStatement(sql, options.commitLevel());
  }

  /** Empty where the database chose it as a victim: nothing was changed, ask again. */
  Optional<ClaimAnswer> ask(ClaimRequest request) {
    Duration patience = options.patience(request.leaseFor());
    try (OpenTransaction open = transactions.begin()) {
      ClaimAnswer answer = ask(open.connection(), request, patience);
      if (answer.grant() != null) {
        open.commit();
      }
      return Optional.of(answer);
    } catch (SQLException e) {
      if (DatabaseFailure.asksToRepeat(e)) {
        return Optional.empty();
      }
      throw DatabaseFailure.beforeCommit(e);
    }
  }

  private ClaimAnswer ask(Connection connection, ClaimRequest request, Duration patience)
      throws SQLException {
    ResourceClaimStatement.Answer taken =
        resource.execute(connection, request, StatementSettings.bindings(patience));
    ResourceGrant grant = taken.grant();
    if (grant == null) {
      return ClaimAnswer.refused(taken.seen(), taken.heldFor());
    }
    ClaimAnswer answer =
        statement(request.gates().size())
            .execute(connection, request, grant, StatementSettings.bindings(patience));
    boolean both = answer.grant() != null && answer.closedGate(request).isEmpty();
    return both ? answer : answer.rolledBack();
  }

  private ClaimStatement statement(int gates) {
    return byGates.computeIfAbsent(
        gates,
        count -> new ClaimStatement(sql, options.commitLevel(), LeaseOf.RESOURCE_TAKEN, count));
  }
}
