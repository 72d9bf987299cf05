package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.LocalDeadline;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A delay that would outlast its call leaves room for an attempt more. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttemptTimeTest {
  private static final Duration DAY = Duration.ofDays(1);

  private static AttemptTime callOf(Duration rest) {
    LocalDeadline attemptEnds = LocalDeadline.after(System.nanoTime(), DAY);
    return new AttemptTime(DAY, attemptEnds, LocalDeadline.after(System.nanoTime(), rest));
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
}
