package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.exception.DataAccessException;
import org.jooq.impl.DSL;

/** A person's view of the ledger, and a person's acts. Safe for use by many threads. */
final class JooqOperatorActs implements OperatorActs {
  private final LedgerConnection connection;
  private final LedgerSql sql;
  private final LedgerOptions options;
  private final String systemId;
  private final ActTransaction acts;
  private final RotateTransaction rotations;

  JooqOperatorActs(
      LedgerConnection connection,
      LedgerTransaction transactions,
      LedgerSql sql,
      LedgerOptions options,
      String systemId) {
    this.connection = connection;
    this.sql = sql;
    this.options = options;
    this.systemId = systemId;
    this.acts = new ActTransaction(transactions, sql.clock(), systemId);
    this.rotations = new RotateTransaction(transactions, sql.clock());
  }

  @Override
  public List<AwaitingOperation> list(AwaitingQuery query) {
    return connection.autocommit(
        options.networkTimeout(), on -> queried(on, dsl -> AwaitingRows.load(dsl, query)));
  }

  @Override
  public Optional<OperationStory> show(Scope scope, OperationId operation) {
    return connection.snapshot(
        options.networkTimeout(),
        on ->
            queried(on, dsl -> new StoryRows(dsl, sql.clock(), systemId, scope, operation).load()));
  }

  @Override
  public ActOutcome resolve(ActTerms terms, Decision decision) {
    return acts.act(terms, Order.resolve(decision));
  }

  @Override
  public ActOutcome reopen(ActTerms terms, boolean force) {
    return acts.act(terms, Order.reopen(force));
  }

  @Override
  public ActOutcome rebind(ActTerms terms, Rebind rebind) {
    if (!rebind.expected().scope().equals(terms.scope())
        || !rebind.expected().operation().equals(terms.operation())) {
      throw new IllegalArgumentException("the expected tuple is another operation's");
    }
    return acts.act(terms, Order.rebind(rebind));
  }

  @Override
  public RotateOutcome rotate(Rotation rotation) {
    return rotations.rotate(rotation);
  }

  private <T> T queried(Connection on, Function<DSLContext, T> query) throws SQLException {
    try {
      return query.apply(DSL.using(sql.configuration().derive(on)));
    } catch (DataAccessException e) {
      throw DatabaseFailure.within(e);
    }
  }
}
