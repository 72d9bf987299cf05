package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.LedgerWork;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.jooq.Record;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;

/** A table of the user's beside the ledger, and attempts that book into it under one key. */
final class TransactionBed {
  static final Duration LEASE = Duration.ofSeconds(20);
  static final Duration MARGIN = Duration.ofMillis(50);

  private final EmbeddedLedger database;
  private final Ledger ledger;
  private final String key = UUID.randomUUID().toString();

  TransactionBed(EmbeddedLedger database) {
    this.database = database;
    this.ledger = over(database.pool(1));
    database
        .sql()
        .execute("create table if not exists public.booking (id varchar primary key, seats int)");
  }

  static Ledger over(DataSource source) {
    return JooqLedger.open(source, LedgerOptions.standard());
  }

  /** Carries a checked exception out of an activity, as Temporal would. */
  static final class Checked extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Checked(Exception cause) {
      super(cause);
    }
  }

  String key() {
    return key;
  }

  Ledger ledger() {
    return ledger;
  }

  /** An attempt at this activity that holds the lease. */
  OpenEffect granted(String activity) {
    return granted(activity, ledger, MARGIN);
  }

  OpenEffect granted(String activity, Ledger by, Duration margin) {
    return switch (by.claim(claim(margin))) {
      case Claim.Granted(var lease) -> OpenEffect.of(activity, by, lease);
      case Claim other -> throw new AssertionError("not granted: " + other);
    };
  }

  Claim claim() {
    return ledger.claim(claim(MARGIN));
  }

  private dev.holdfast.ledger.ClaimRequest claim(Duration margin) {
    return OpenEffect.claim(key, LEASE, margin, new OpenAttemptRule.RolledBack());
  }

  /** Runs the activity of this attempt: one transaction with this work. */
  static <T extends @Nullable Object> T run(OpenEffect attempt, LedgerWork<T, ?> work) {
    return attempt.run(
        effect -> {
          try {
            return effect.inLedgerTransaction(work);
          } catch (RuntimeException e) {
            throw e;
          } catch (Exception e) {
            throw new Checked(e);
          }
        });
  }

  /** The work of most tests. */
  String book(Connection connection) throws SQLException {
    insert(connection, key);
    return booked();
  }

  String booked() {
    return "booked " + key;
  }

  /** A whole further attempt. */
  String bookAgain() {
    return run(granted("book"), this::book);
  }

  static void insert(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into public.booking values (?, 1)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  static void query(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.executeQuery();
    }
  }

  /** Lets the lease run out. */
  void expire() {
    database
        .sql()
        .update(OPERATION)
        .set(
            OPERATION.EXPIRES_AT,
            DSL.field("clock_timestamp() - interval '1 second'", Instant.class))
        .where(OPERATION.OPERATION_ID.eq(operation()))
        .execute();
  }

  int bookings() {
    return database
        .sql()
        .fetchCount(DSL.table("public.booking"), DSL.condition("id like ?", "%" + key));
  }

  int receipts() {
    return database.sql().fetchCount(RECEIPT, RECEIPT.OPERATION_ID.eq(operation()));
  }

  Record row() {
    return database.sql().fetchSingle(OPERATION, OPERATION.OPERATION_ID.eq(operation()));
  }

  void assertNothingBooked() {
    assertThat(bookings()).isZero();
    assertThat(receipts()).isZero();
  }

  void assertBookedOnce() {
    assertThat(bookings()).isEqualTo(1);
    assertThat(receipts()).isEqualTo(1);
  }

  private String operation() {
    return "effect:" + key;
  }
}
