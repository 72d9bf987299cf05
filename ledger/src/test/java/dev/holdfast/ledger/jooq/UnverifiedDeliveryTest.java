package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.UnverifiedDelivery;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whoever can send messages leaves a bounded trace, and changes nothing. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnverifiedDeliveryTest {
  private final EmbeddedLedger ledger;
  private final SettlementBed bed;
  private final Reservation reservation = SettlementBed.fresh();

  UnverifiedDeliveryTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new SettlementBed(ledger);
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void one_for_each_reason_is_kept_and_the_operation_stays_as_it_was() {
    Lease holder = bed.claim(reservation);
    String before = String.valueOf(bed.stored(reservation).version());

    assertThat(bed.jooq.observe(forged("unsigned", 0))).isTrue();
    assertThat(bed.jooq.observe(forged("unsigned", 0))).isFalse();
    assertThat(bed.jooq.observe(forged("unsigned", 7))).isFalse();
    assertThat(bed.jooq.observe(forged("too_old", 0))).isTrue();

    assertThat(kept())
        .containsExactlyInAnyOrder(
            "none timed_out unsigned recorded", "none timed_out too_old recorded");
    assertThat(bed.stored(reservation).version()).isEqualTo(before);
    assertThat(
            bed.jooq.settle(
                holder, SettlementBed.response("effect"), SettlementBed.result("effect")))
        .isInstanceOf(SettleOutcome.Committed.class);
  }

  @Test
  void of_many_at_once_one_is_kept() throws Exception {
    bed.claim(reservation);

    List<List<Boolean>> answers =
        Contenders.race(8, 4, (contender, round) -> bed.jooq.observe(forged("unsigned", round)));

    assertThat(answers.stream().flatMap(List::stream).filter(kept -> kept)).hasSize(1);
    assertThat(kept()).hasSize(1);
  }

  @Test
  void nobody_waits_for_a_holders_lock() throws Exception {
    bed.claim(reservation);

    try (RowLock lock = RowLock.on(ledger, reservation)) {
      assertThat(bed.jooq.observe(forged("unsigned", 0))).isTrue();
      lock.rollback();
    }
  }

  @Test
  void of_an_operation_that_nobody_claimed_nothing_is_kept() {
    assertThat(bed.jooq.observe(forged("unsigned", 0))).isFalse();

    assertThat(kept()).isEmpty();
    assertThat(bed.jooq.read(reservation.scope(), reservation.operation())).isEmpty();
  }

  @Test
  void a_reason_is_a_word() {
    assertThatThrownBy(() -> forged("", 0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> forged("x".repeat(101), 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private UnverifiedDelivery forged(String reason, long generation) {
    return new UnverifiedDelivery(
        new Tuple(
            reservation.scope(),
            reservation.operation(),
            reservation.fingerprint(),
            new Generation(generation),
            new Epoch(0)),
        reason,
        Sha256.of(("forged " + generation).getBytes(StandardCharsets.UTF_8)));
  }

  private List<String> kept() {
    return ledger
        .sql()
        .selectFrom(OBSERVATION)
        .where(OBSERVATION.OPERATION_ID.eq(reservation.operation().text()))
        .fetch(
            row ->
                String.join(
                    " ",
                    row.get(OBSERVATION.OBSERVER),
                    row.get(OBSERVATION.KIND),
                    row.get(OBSERVATION.REASON),
                    row.get(OBSERVATION.DISPOSITION)));
  }
}
