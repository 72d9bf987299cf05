package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions whose lease, or whose commit's answer, was lost. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransactionLossTest {
  private final EmbeddedLedger database;
  private final TransactionBed bed;

  TransactionLossTest(EmbeddedLedger database) {
    this.database = database;
    this.bed = new TransactionBed(database);
  }

  @Test
  void a_zombie_does_nothing() {
    OpenEffect zombie = bed.granted("book");
    bed.expire();
    assertThat(bed.bookAgain()).isEqualTo(bed.booked());

    assertThatThrownBy(
            () ->
                TransactionBed.run(
                    zombie,
                    connection -> {
                      TransactionBed.insert(connection, "zombie " + bed.key());
                      return "late";
                    }))
        .isInstanceOf(NotDispatchedException.class);
    bed.assertBookedOnce();
  }

  @Test
  void a_lease_that_ran_out_does_nothing_and_its_attempt_can_be_closed() {
    OpenEffect late = bed.granted("book");
    bed.expire();

    assertThatThrownBy(() -> TransactionBed.run(late, bed::book))
        .isInstanceOf(NotDispatchedException.class);

    bed.assertNothingBooked();
    assertThat(
            bed.ledger()
                .end(((DispatchState.Dispatched) late.state()).lease(), new AttemptEnd.Refused(0)))
        .isInstanceOf(EndOutcome.Recorded.class);
    assertThat(bed.row().get(OPERATION.OPEN_ATTEMPTS)).isZero();
    assertThat(bed.bookAgain()).isEqualTo(bed.booked());
  }

  @Test
  void a_margin_that_the_work_used_up_rolls_back() {
    OpenEffect slow = bed.granted("book", bed.ledger(), TransactionBed.LEASE.minusMillis(1));

    assertThatThrownBy(
            () ->
                TransactionBed.run(
                    slow,
                    connection -> {
                      TransactionBed.query(connection, "select pg_sleep(0.05)");
                      return bed.book(connection);
                    }))
        .isInstanceOf(NotDispatchedException.class);
    bed.assertNothingBooked();
    assertThat(((DispatchState.SettledInTransaction) slow.state()).outcome())
        .isInstanceOf(SettleOutcome.MarginTooThin.class);
  }

  @Test
  void a_commit_whose_answer_was_lost_is_found_or_unknown_and_never_repeated() {
    Throwable thrown = bookOverABrokenLine(new Disturbance.CutBeforeAnswer());

    assertUnknownIfAnything(thrown);
    bed.assertBookedOnce();
    assertThat(bed.claim()).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void a_commit_that_never_arrived_is_unknown_and_the_next_attempt_books() {
    Throwable thrown = bookOverABrokenLine(new Disturbance.CutBeforeServer());

    assertThat(thrown).isNotNull();
    assertUnknownIfAnything(thrown);
    bed.assertNothingBooked();
    bed.expire();
    assertThat(bed.bookAgain()).isEqualTo(bed.booked());
    bed.assertBookedOnce();
  }

  private @Nullable Throwable bookOverABrokenLine(Disturbance disturbance) {
    try (CountingProxy proxy = CountingProxy.before(database)) {
      OpenEffect effect =
          bed.granted(
              "book",
              TransactionBed.over(database.pool(database.dataSource(proxy), 1)),
              TransactionBed.MARGIN);
      proxy.disturbNext(
          trip -> trip.statements().stream().anyMatch("commit"::equalsIgnoreCase), disturbance);

      Throwable thrown = catchThrowable(() -> TransactionBed.run(effect, bed::book));

      assertThat(proxy.isSpent()).isTrue();
      return thrown;
    }
  }

  private static void assertUnknownIfAnything(@Nullable Throwable thrown) {
    if (thrown != null) {
      assertThat(thrown)
          .isInstanceOfSatisfying(
              ApplicationFailure.class,
              e ->
                  assertThat(e.getType())
                      .isEqualTo(HoldfastFailures.LEDGER_UNAVAILABLE_AFTER_EFFECT));
    }
  }
}
