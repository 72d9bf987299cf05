package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Claim;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitInPlaceTest {
  private static final Claim BUSY = new Claim.Busy(Duration.ofMinutes(1));
  private static final Claim DONE = new Claim.Conflicted();

  private final AtomicInteger heartbeats = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();

  private WaitInPlace waiting(Duration bound) {
    return new WaitInPlace(bound, heartbeats::incrementAndGet);
  }

  @Test
  void an_answer_that_is_not_busy_is_taken_at_once() {
    assertThat(waiting(Duration.ofMinutes(1)).untilNotBusy(() -> DONE)).isEqualTo(DONE);
    assertThat(heartbeats).hasValue(0);
  }

  @Test
  void it_asks_again_until_the_lease_is_over_and_heartbeats_meanwhile() {
    Claim claim =
        waiting(Duration.ofMinutes(1))
            .untilNotBusy(() -> asked.incrementAndGet() < 4 ? BUSY : DONE);

    assertThat(claim).isEqualTo(DONE);
    assertThat(asked).hasValue(4);
    assertThat(heartbeats).hasValue(3);
  }

  @Test
  void it_gives_up_in_the_end() {
    assertThat(waiting(Duration.ofMillis(50)).untilNotBusy(() -> BUSY)).isEqualTo(BUSY);
  }

  @Test
  void no_wait_asks_once() {
    Claim claim =
        waiting(Duration.ZERO)
            .untilNotBusy(
                () -> {
                  asked.incrementAndGet();
                  return BUSY;
                });

    assertThat(claim).isEqualTo(BUSY);
    assertThat(asked).hasValue(1);
  }

  @Test
  void an_interrupted_thread_waits_no_longer_and_its_flag_is_cleared() {
    Thread.currentThread().interrupt();

    assertThat(waiting(Duration.ofMinutes(1)).untilNotBusy(() -> BUSY)).isEqualTo(BUSY);
    assertThat(Thread.interrupted()).isFalse();
  }

  @Test
  void what_the_heartbeat_throws_ends_the_wait() {
    IllegalStateException cancelled = new IllegalStateException("cancelled");
    WaitInPlace waiting =
        new WaitInPlace(
            Duration.ofMinutes(1),
            () -> {
              throw cancelled;
            });

    assertThatThrownBy(() -> waiting.untilNotBusy(() -> BUSY)).isSameAs(cancelled);
  }
}
