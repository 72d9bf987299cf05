package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.LedgerWork;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects that are SQL of the ledger's own database: what commits, and what rolls back. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransactionDispatchTest {
  private final TransactionBed bed;

  TransactionDispatchTest(EmbeddedLedger database) {
    this.bed = new TransactionBed(database);
  }

  @Test
  void effect_receipt_and_result_are_one_commit() {
    OpenEffect effect = bed.granted("book");

    String result = TransactionBed.run(effect, bed::book);

    DispatchState.SettledInTransaction settled = settled(effect);
    assertThat(result).isEqualTo(bed.booked());
    assertThat(settled.result()).isEqualTo(effect.scope().encode(result));
    assertThat(bed.row().get(OPERATION.EFFECT_ID))
        .isEqualTo(effect.scope().holder().claimId().toString());
    assertThat(bed.claim())
        .isEqualTo(
            new Claim.Replay(
                ((SettleOutcome.Committed) settled.outcome()).receipt().completion(),
                settled.result()));
    bed.assertBookedOnce();
  }

  @Test
  void jooq_works_on_the_connection() {
    int seats =
        TransactionBed.run(
            bed.granted("bookSeats"),
            connection ->
                DSL.using(connection, SQLDialect.POSTGRES)
                    .execute("insert into public.booking values (?, 2)", bed.key()));

    assertThat(seats).isEqualTo(1);
    bed.assertBookedOnce();
  }

  @Test
  void a_method_without_a_result_settles_without_one() {
    OpenEffect effect = bed.granted("bookSilently");

    TransactionBed.run(effect, bookingNothing());

    assertThat(settled(effect).result()).isEqualTo(new StoredResult.NoValue());
    bed.assertBookedOnce();
  }

  @Test
  void null_is_a_result_of_its_own() {
    OpenEffect effect = bed.granted("book");

    TransactionBed.run(effect, bookingNothing());

    assertThat(settled(effect).result()).isEqualTo(new StoredResult.Null());
    bed.assertBookedOnce();
  }

  @ParameterizedTest
  @ValueSource(strings = {"checked", "runtime", "sql", "error"})
  void what_the_work_throws_comes_out_and_nothing_was_done(String kind) {
    OpenEffect effect = bed.granted("book");

    Throwable thrown =
        catchThrowable(
            () ->
                TransactionBed.run(
                    effect,
                    connection -> {
                      String booked = bed.book(connection);
                      fail(kind, connection);
                      return booked;
                    }));

    assertThat(thrown instanceof TransactionBed.Checked ? thrown.getCause() : thrown)
        .isInstanceOf(
            switch (kind) {
              case "checked" -> IOException.class;
              case "sql" -> SQLException.class;
              case "error" -> StackOverflowError.class;
              default -> IllegalStateException.class;
            });
    assertNothingDone(effect);
    assertThat(bed.bookAgain()).isEqualTo(bed.booked());
  }

  @Test
  void a_value_that_is_not_of_the_methods_type_rolls_back() {
    assertRefused(
        bed.granted("book"),
        HoldfastFailures.NOT_PROTECTABLE,
        connection -> bed.book(connection).length());
  }

  @Test
  void null_where_the_method_returns_a_primitive_rolls_back() {
    assertRefused(bed.granted("bookSeats"), HoldfastFailures.NOT_PROTECTABLE, bookingNothing());
  }

  @Test
  void a_value_where_the_method_returns_nothing_rolls_back() {
    assertRefused(bed.granted("bookSilently"), HoldfastFailures.NOT_PROTECTABLE, bed::book);
  }

  @Test
  void a_result_too_big_for_temporal_rolls_back() {
    assertRefused(
        bed.granted("book"),
        HoldfastFailures.RESULT_NOT_TRANSPORTABLE,
        connection -> bed.book(connection) + "S3CR3T-7f".repeat(300_000));
  }

  @Test
  void a_result_that_cannot_be_serialized_rolls_back() {
    assertRefused(
        bed.granted("bookAnything"),
        HoldfastFailures.RESULT_NOT_TRANSPORTABLE,
        connection -> {
          String booked = bed.book(connection);
          return new Unserializable(booked);
        });
  }

  // case I1
  @Test
  void a_statement_that_failed_and_was_swallowed_commits_nothing() {
    OpenEffect effect = bed.granted("book");

    assertThatThrownBy(
            () ->
                TransactionBed.run(
                    effect,
                    connection -> {
                      String booked = bed.book(connection);
                      return catchThrowable(() -> fail("sql", connection)) == null
                          ? "impossible"
                          : booked;
                    }))
        .isInstanceOf(ApplicationFailure.class);
    assertNothingDone(effect);
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "rollback", "close", "setAutoCommit"})
  void the_work_cannot_end_the_transaction(String how) {
    OpenEffect effect = bed.granted("book");

    assertThatThrownBy(
            () ->
                TransactionBed.run(
                    effect,
                    connection -> {
                      String booked = bed.book(connection);
                      end(how, connection);
                      return booked;
                    }))
        .isNotNull();
    assertNothingDone(effect);
  }

  private void assertRefused(OpenEffect effect, String type, LedgerWork<?, ?> work) {
    assertThatThrownBy(() -> TransactionBed.run(effect, work))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(type);
              assertThat(e.isNonRetryable()).isTrue();
              assertThat(e.toString()).doesNotContain("S3CR3T").doesNotContain(bed.key());
            });
    assertNothingDone(effect);
  }

  /** Nothing is there, and the attempt can be closed as one that did nothing. */
  private void assertNothingDone(OpenEffect effect) {
    DispatchState.Refused state = (DispatchState.Refused) effect.state();
    assertThat(state.status()).isZero();
    bed.assertNothingBooked();
    assertThat(bed.ledger().end(state.lease(), new AttemptEnd.Refused(0)))
        .isInstanceOf(EndOutcome.Recorded.class);
    assertThat(bed.row().get(OPERATION.OPEN_ATTEMPTS)).isZero();
  }

  private LedgerWork<@Nullable Object, SQLException> bookingNothing() {
    return connection -> {
      String booked = bed.book(connection);
      return booked.isEmpty() ? booked : null;
    };
  }

  private static DispatchState.SettledInTransaction settled(OpenEffect effect) {
    return (DispatchState.SettledInTransaction) effect.state();
  }

  private static void fail(String kind, Connection connection) throws Exception {
    switch (kind) {
      case "checked" -> throw new IOException("after");
      case "error" -> throw new StackOverflowError("after");
      case "sql" -> TransactionBed.query(connection, "select 1/0");
      default -> throw new IllegalStateException("after");
    }
  }

  private static void end(String how, Connection connection) throws SQLException {
    switch (how) {
      case "commit" -> connection.commit();
      case "rollback" -> connection.rollback();
      case "close" -> connection.close();
      default -> connection.setAutoCommit(true);
    }
  }

  /** A value with itself inside. */
  record Unserializable(String booked) {
    public Unserializable getSelf() {
      return this;
    }
  }
}
