package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.TransactionalEffect;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.RoundTrip;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;

/** A user's table beside the ledger, and an effect that writes it. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class TransactionBed {
  final EmbeddedLedger ledger;
  final SettlementBed bed;
  final Reservation booking = fresh();

  TransactionBed(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new SettlementBed(ledger, ledger.pool(1));
  }

  @BeforeEach
  void createTheUsersTable() {
    ledger.sql().execute("create table if not exists public.booking (id varchar(300))");
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  static List<Object> state(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      var settings =
          DSL.using(connection, SQLDialect.POSTGRES)
              .fetch(
                  "select name, setting from pg_settings where name in ('lock_timeout',"
                      + " 'statement_timeout', 'idle_in_transaction_session_timeout',"
                      + " 'transaction_timeout', 'synchronous_commit', 'search_path',"
                      + " 'transaction_isolation', 'default_transaction_isolation',"
                      + " 'transaction_read_only') order by name")
              .intoMaps();
      List<Object> state =
          List.of(
              connection.getAutoCommit(),
              connection.getTransactionIsolation(),
              connection.isReadOnly(),
              connection.getNetworkTimeout(),
              settings);
      if (!connection.getAutoCommit()) {
        connection.rollback();
      }
      return state;
    }
  }

  static boolean commits(RoundTrip trip) {
    return trip.statements().stream().anyMatch(text -> text.equalsIgnoreCase("commit"));
  }

  TransactionalEffect mustNotRun() {
    return connection -> {
      throw new AssertionError("the effect was run");
    };
  }

  Effected fail(Connection connection) throws SQLException {
    insert(connection);
    throw new IllegalArgumentException("sold out");
  }

  Effected book(Connection connection) throws SQLException {
    insert(connection);
    return booked();
  }

  static Effected booked() {
    return new Effected(response("booked"), result("booked"));
  }

  void insert(Connection connection) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("insert into booking values (?)")) {
      insert.setString(1, key());
      insert.executeUpdate();
    }
  }

  interface Refused {
    void call() throws SQLException;
  }

  static void isRefused(Refused call) {
    assertThatThrownBy(call::call).isInstanceOf(SQLException.class).hasMessageContaining("refused");
  }

  void isBooked(int times) {
    assertThat(count(key())).isEqualTo(times);
  }

  int count(String id) {
    return ledger
        .sql()
        .fetchCount(
            DSL.table(DSL.name("public", "booking")),
            DSL.field(DSL.name("id"), SQLDataType.VARCHAR).eq(id));
  }

  String key() {
    return booking.operation().text();
  }

  LedgerAssert operation() {
    return LedgerAssert.assertThat(bed.stored(booking));
  }
}
