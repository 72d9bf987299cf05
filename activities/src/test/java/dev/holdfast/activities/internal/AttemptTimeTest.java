package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.KeyDigest;
import dev.holdfast.ledger.LocalDeadline;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A delay that would outlast its call leaves room for an attempt more. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttemptTimeTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static AttemptTime callOf(Duration rest) {
    LocalDeadline attemptEnds = LocalDeadline.after(System.nanoTime(), DAY);
    LocalDeadline now = LocalDeadline.after(System.nanoTime(), Duration.ZERO);
    return new AttemptTime(
        DAY, attemptEnds, LocalDeadline.after(System.nanoTime(), rest), now, true);
  }

  @Test
  void a_delay_that_fits_stays() {
    Duration hour = Duration.ofHours(1);

    assertThat(callOf(DAY).retryAfter(hour)).isEqualTo(hour);
  }

  @Test
  void one_that_ends_after_its_call_becomes_half_of_what_is_left() {
    assertThat(callOf(Duration.ofHours(1)).retryAfter(DAY))
        .isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
  }

  @Test
  void where_no_attempt_more_fits_in_it_stays() {
    assertThat(callOf(Duration.ofMillis(1500)).retryAfter(DAY)).isEqualTo(DAY);
    assertThat(callOf(Duration.ofHours(-1)).retryAfter(DAY)).isEqualTo(DAY);
  }

  @Test
  void nobody_ends_a_call_without_a_bound() {
    assertThat(AttemptTime.of(Duration.ofMinutes(1)).retryAfter(DAY)).isEqualTo(DAY);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 7, 30, 100, 3600})
  void a_call_that_is_busy_again_and_again_waits_no_longer_than_twice_the_hold(long seconds) {
    Duration hold = Duration.ofSeconds(seconds);
    Duration waited = Duration.ZERO;
    while (waited.compareTo(hold) < 0) {
      waited = waited.plus(AttemptTime.busyFor(DAY, waited));
    }

    assertThat(waited).isLessThanOrEqualTo(hold.multipliedBy(2));
  }

  @Test
  void a_lease_that_ends_sooner_is_not_waited_out_longer() {
    Duration rest = Duration.ofMillis(300);

    assertThat(AttemptTime.busyFor(rest, DAY)).isEqualTo(rest);
  }

  @Test
  void counted_attempts_are_not_used_up_on_a_lease_that_lives() {
    assertThat(callOf(DAY.multipliedBy(3)).busyFor(DAY)).isEqualTo(DAY);
    assertThat(AttemptTime.of(DAY).busyFor(DAY)).isLessThan(Duration.ofMinutes(1));
  }

  @Test
  void a_busy_call_is_tried_again_before_it_ends() {
    ApplicationFailure busy = Refusals.busy(KeyDigest.of("e-1"), DAY, callOf(Duration.ofHours(1)));

    assertThat(busy.getNextRetryDelay()).isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
  }
}
