package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Bookings in the ledger's own database, by way of a worker. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BookingTest {
  private final EmbeddedLedger ledger;
  private final EffectsBed bed;
  private final AtomicInteger attempts = new AtomicInteger();

  BookingTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new EffectsBed(ledger);
  }

  @BeforeEach
  void makeTheUsersTable() {
    ledger.sql().execute("create table if not exists public.booking (id varchar)");
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void the_value_of_the_work_is_the_activitys_result_whatever_the_method_returns() {
    bed.start(
        effect -> {
          String booked = effect.inLedgerTransaction(connection -> book(connection, "value"));
          return "not " + booked;
        });

    assertThat(bed.call("Book", "value", 1)).isEqualTo("booked value");
    assertThat(bed.call("Book", "value", 1)).isEqualTo("booked value");
    assertThat(bookings("value")).isEqualTo(1);
    assertThat(bed.state("Book:value")).isEqualTo("completed, 0 open");
  }

  @Test
  void what_is_thrown_after_the_commit_does_not_undo_it() {
    bed.start(
        effect -> {
          String booked = effect.inLedgerTransaction(connection -> book(connection, "thrown"));
          throw new IllegalStateException("after " + booked);
        });

    assertThat(bed.call("Book", "thrown", 3)).isEqualTo("booked thrown");
    assertThat(bookings("thrown")).isEqualTo(1);
  }

  @Test
  void a_rollback_closes_the_attempt_and_the_retry_books() {
    bed.start(
        effect ->
            effect.inLedgerTransaction(
                connection -> {
                  String booked = book(connection, "again");
                  if (attempts.incrementAndGet() == 1) {
                    throw new IllegalStateException("changed my mind");
                  }
                  assertThat(bed.state("Book:again")).isEqualTo("in_progress, 1 open");
                  return booked;
                }));

    assertThat(bed.call("Book", "again", 2)).isEqualTo("booked again");
    assertThat(bookings("again")).isEqualTo(1);
    assertThat(attempts).hasValue(2);
  }

  @Test
  void the_authors_own_failure_comes_through_a_rollback() {
    bed.start(
        effect ->
            effect.inLedgerTransaction(
                connection -> {
                  String booked = book(connection, "full");
                  throw ApplicationFailure.newNonRetryableFailure(booked, "NoSeats");
                }));

    ApplicationFailure failure = Failures.of(() -> bed.call("Book", "full", 3));

    assertThat(failure.getType()).isEqualTo("NoSeats");
    assertThat(bookings("full")).isZero();
    assertThat(bed.state("Book:full")).isEqualTo("unknown, 0 open");
  }

  @Test
  void a_result_too_big_is_refused_once_and_nothing_is_booked() {
    bed.start(
        effect ->
            effect.inLedgerTransaction(
                connection -> {
                  attempts.incrementAndGet();
                  return book(connection, "big") + "x".repeat(3_000_000);
                }));

    ApplicationFailure failure = Failures.of(() -> bed.call("Book", "big", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.RESULT_NOT_TRANSPORTABLE);
    assertThat(attempts).hasValue(1);
    assertThat(bookings("big")).isZero();
  }

  @Test
  void a_method_that_books_outside_of_the_transaction_proves_nothing() {
    bed.start(effect -> "booked elsewhere");

    ApplicationFailure failure = Failures.of(() -> bed.call("Book", "outside", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(failure.getCause()).hasMessageContaining("inLedgerTransaction");
    assertThat(bed.state("Book:outside")).startsWith("unknown");
  }

  @Test
  void a_second_transaction_of_one_attempt_is_refused() {
    bed.start(
        effect -> {
          String first = effect.inLedgerTransaction(connection -> book(connection, "twice"));
          return first + effect.inLedgerTransaction(connection -> book(connection, "twice"));
        });

    assertThat(bed.call("Book", "twice", 1)).isEqualTo("booked twice");
    assertThat(bookings("twice")).isEqualTo(1);
  }

  private static String book(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into public.booking values (?)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
    return "booked " + id;
  }

  private int bookings(String id) {
    return ledger.sql().fetchCount(DSL.table("public.booking"), DSL.condition("id = ?", id));
  }
}
