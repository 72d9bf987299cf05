package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HeartbeatsTest {
  private static final Duration LEASE = Duration.ofSeconds(30);

  @Test
  void a_heartbeat_time_out_is_never_waited_for_longer_than_a_third_of_it() {
    assertThat(Heartbeats.period(Duration.ofSeconds(3), LEASE)).isEqualTo(Duration.ofSeconds(1));
    assertThat(Heartbeats.period(Duration.ofMillis(1), LEASE)).isEqualTo(Duration.ofMillis(10));
  }

  @Test
  void without_one_a_cancellation_is_heard_of_as_often_as_the_lease_is_renewed() {
    assertThat(Heartbeats.period(Duration.ZERO, LEASE)).isEqualTo(Duration.ofSeconds(10));
    assertThat(Heartbeats.period(Duration.ofHours(1), LEASE)).isEqualTo(Duration.ofSeconds(10));
  }
}
