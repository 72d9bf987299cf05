package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.BINDING_CHANGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.RoundTrip;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The answer of a rotation is lost: whoever asks again must not rotate twice. */
class LostRotationTest extends LossBed {
  static final Predicate<RoundTrip> ROTATION =
      trip -> trip.mentions("into \"holdfast\".\"binding_change\"");
  private static final AtomicInteger NAMES = new AtomicInteger();
  private static final int TRIES = LedgerOptions.standard().retries() - 1;
  private static final RotateOutcome DONE = new RotateOutcome.Rotated(new Generation(1), false);

  private final Rotation rotation =
      new Rotation(
          ActId.random(),
          new Scope("tenant"),
          new BindingName("mandate-" + NAMES.incrementAndGet()),
          new Generation(0),
          "ann",
          "renewed",
          false);

  LostRotationTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  private void isRotatedOnce() {
    assertThat(rival.currentBinding(rotation.scope(), rotation.binding()))
        .isEqualTo(new Generation(1));
    assertThat(
            embedded
                .sql()
                .fetchCount(BINDING_CHANGE, BINDING_CHANGE.NAME.eq(rotation.binding().value())))
        .isEqualTo(1);
  }

  @Test
  void committed_it_is_read_back() {
    lose(COMMIT, LOSE_ANSWER);

    assertThat(ledger.acts().rotate(rotation)).isEqualTo(DONE);

    isRotatedOnce();
  }

  @Test
  void never_committed_it_is_made_again() {
    lose(COMMIT, LOSE_REQUEST);

    assertThat(ledger.acts().rotate(rotation)).isEqualTo(DONE);

    isRotatedOnce();
  }

  @Test
  void before_its_commit_nothing_has_happened_whatever_was_lost() {
    lose(ROTATION, LOSE_ANSWER);

    assertThatThrownBy(() -> ledger.acts().rotate(rotation)).isInstanceOf(RuntimeException.class);

    assertThat(rival.currentBinding(rotation.scope(), rotation.binding()))
        .isEqualTo(new Generation(0));
  }

  @Test
  void lost_for_good_it_is_sent_again_by_its_id() {
    AtomicBoolean sent = new AtomicBoolean();
    lose(trip -> COMMIT.test(trip) && sent.compareAndSet(false, true), LOSE_ANSWER);
    loseEach(trip -> sent.get() && BEGIN.test(trip), LOSE_REQUEST, TRIES);

    assertThatThrownBy(() -> ledger.acts().rotate(rotation))
        .isInstanceOf(LedgerAnswerLostException.class);

    assertThat(rival.acts().rotate(rotation)).isEqualTo(DONE);
    isRotatedOnce();
  }
}
