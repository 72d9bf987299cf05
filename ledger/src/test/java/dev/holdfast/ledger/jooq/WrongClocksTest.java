package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clocks of the workers are wrong: to each of them the database's clock is what is off. */
class WrongClocksTest extends LossBed {

  WrongClocksTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  @ParameterizedTest // case G3
  @ValueSource(longs = {180, -180})
  void minutes_apart_from_the_database_one_holds_it_at_a_time(long seconds) {
    Duration apart = Duration.ofSeconds(seconds);
    Asking asking = Asking.about("apart by " + seconds);
    clock.shift(apart);
    Lease first = asking.dispatched(ledger);

    assertThat(asking.claim(rival))
        .isInstanceOfSatisfying(
            Claim.Busy.class,
            busy -> assertThat(busy.retryAfter()).isBetween(Duration.ZERO, Asking.LEASE));
    clock.shift(apart.plus(Asking.LEASE));
    Lease second = asking.dispatched(rival);

    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Busy.class);
    assertThat(ledger.settle(first, Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.Preempted.class);
    Asking.committed(rival, second);
  }

  @Test // case G3
  void a_worker_whose_clock_is_five_times_too_slow_holds_it_no_longer_than_the_database_says() {
    Asking asking = Asking.about("slow").leasing(Duration.ofSeconds(10));
    clock.runAt(5);
    Lease first = asking.dispatched(ledger);

    await().until(() -> asking.claim(rival) instanceof Claim.Granted);

    assertThat(first.expiry().isPast()).as("by its own clock").isFalse();
    assertThat(ledger.settle(first, Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.Preempted.class);
  }

  @Test // case G3
  void a_worker_whose_clock_is_five_times_too_fast_holds_it_as_long_as_the_database_says() {
    Asking asking = Asking.about("fast").leasing(Duration.ofSeconds(2));
    clock.runAt(0.2);
    Lease first = asking.dispatched(ledger);

    await().until(() -> first.expiry().isPast());

    assertThat(asking.claim(rival)).isInstanceOf(Claim.Busy.class);
    Asking.committed(ledger, first);
    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);
  }
}
