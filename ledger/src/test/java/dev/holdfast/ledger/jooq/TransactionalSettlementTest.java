package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.Test;

/** An effect that is SQL of the ledger's own database: done with its receipt, or not at all. */
class TransactionalSettlementTest extends TransactionBed {
  TransactionalSettlementTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @Test
  void effect_and_receipt_are_one_commit() throws Exception {
    Lease lease = bed.claim(booking);

    SettleOutcome outcome = bed.jooq.settleInTransaction(lease, this::book);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            SettleOutcome.Committed.class,
            committed ->
                assertThat(bed.jooq.release(committed.permit()))
                    .isInstanceOf(ReleaseOutcome.Released.class));
    isBooked(1);
    operation().isCompletedWith(response("booked").digest()).hasReceipts(1).hasOpenAttempts(0);
    assertThat(bed.jooq.claim(request(booking)))
        .isInstanceOfSatisfying(
            Claim.Replay.class, replay -> assertThat(replay.result()).isEqualTo(result("booked")));
  }

  @Test
  void plain_jdbc_and_jooq_see_the_same_transaction_and_the_users_search_path() throws Exception {
    Lease lease = bed.claim(booking);

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          try (PreparedStatement insert =
              connection.prepareStatement("insert into booking values (?)")) {
            insert.setString(1, key());
            assertThat(insert.executeUpdate()).isEqualTo(1);
          }
          int seen =
              DSL.using(connection, SQLDialect.POSTGRES)
                  .fetchCount(
                      DSL.table(DSL.name("booking")),
                      DSL.field(DSL.name("id"), SQLDataType.VARCHAR).eq(key()));
          assertThat(seen).isEqualTo(1);
          return booked();
        });

    isBooked(1);
  }

  @Test
  void an_effect_that_throws_leaves_nothing_behind() {
    Lease lease = bed.claim(booking);
    StoredOperation before = bed.stored(booking);

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      throw new IllegalArgumentException("sold out");
                    }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("sold out");
    isBooked(0);
    operation().isUntouchedSince(before).hasObservations();
  }

  @Test
  void after_a_rollback_the_same_lease_may_try_again() throws Exception {
    Lease lease = bed.claim(booking);
    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      throw new SQLException("broken", "P0001");
                    }))
        .isInstanceOf(SQLException.class);

    assertThat(bed.jooq.settleInTransaction(lease, this::book))
        .isInstanceOf(SettleOutcome.Committed.class);
    isBooked(1);
  }

  // case I1
  @Test
  void an_effect_that_goes_on_after_a_failed_statement_is_rolled_back_and_said_to_be() {
    Lease lease = bed.claim(booking);

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      insert(connection);
                      try (Statement statement = connection.createStatement()) {
                        statement.execute("select 1 / 0");
                      } catch (SQLException swallowed) {
                        assertThat(swallowed.getSQLState()).isEqualTo("22012");
                      }
                      return booked();
                    }))
        .isInstanceOf(LedgerUnavailableException.class);
    isBooked(0);
    operation().isInState(OperationState.IN_PROGRESS).hasReceipts(0);
  }

  // case I1
  @Test
  void a_commit_that_the_server_answers_by_rollback_is_no_commit() throws SQLException {
    // this driver raises nothing then, whatever raiseExceptionOnSilentRollback says
    try (Connection connection = ledger.dataSource().getConnection()) {
      OpenTransaction open =
          OpenTransaction.on(
              connection, SettlementBed.SQL.configuration(), CommitLevel.ON, Duration.ofSeconds(5));
      try (Statement statement = connection.createStatement()) {
        statement.execute("insert into public.booking values ('silent')");
        assertThatThrownBy(() -> statement.execute("select 1 / 0"))
            .isInstanceOf(SQLException.class);
      }

      assertThatThrownBy(open::commit)
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageContaining("ROLLBACK");
      open.close();
    }
    assertThat(count("silent")).isZero();
  }

  @Test
  void what_would_end_or_outlast_the_transaction_is_refused() throws Exception {
    Lease lease = bed.claim(booking);

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          isRefused(connection::commit);
          isRefused(connection::rollback);
          isRefused(connection::close);
          isRefused(() -> connection.setAutoCommit(true));
          isRefused(() -> connection.setReadOnly(true));
          isRefused(() -> connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE));
          try (Statement statement = connection.createStatement()) {
            isRefused(() -> statement.getConnection().commit());
          }
          return book(connection);
        });

    isBooked(1);
  }

  @Test
  void a_savepoint_is_the_effects_own() throws Exception {
    Lease lease = bed.claim(booking);

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          var before = connection.setSavepoint();
          insert(connection);
          connection.rollback(before);
          return book(connection);
        });

    isBooked(1);
  }

  @Test
  void a_connection_that_was_kept_answers_nothing_afterwards() throws Exception {
    Lease lease = bed.claim(booking);
    AtomicReference<Connection> kept = new AtomicReference<>();

    bed.jooq.settleInTransaction(
        lease,
        connection -> {
          kept.set(connection);
          return book(connection);
        });

    assertThatThrownBy(() -> kept.get().createStatement())
        .isInstanceOf(SQLException.class)
        .hasMessageContaining("over");
  }

  @Test
  void an_effect_that_ends_the_transaction_by_sql_is_told_so() {
    Lease lease = bed.claim(booking);

    assertThatThrownBy(
            () ->
                bed.jooq.settleInTransaction(
                    lease,
                    connection -> {
                      try (Statement statement = connection.createStatement()) {
                        statement.execute("commit");
                      }
                      return booked();
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("ended the ledger's transaction");
    operation().hasReceipts(0);
  }
}
