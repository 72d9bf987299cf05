package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** How long a ledger out of reach is asked again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AskAgainTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration OVER = Duration.ofMinutes(-5);

  private final AtomicInteger asked = new AtomicInteger();

  private static LocalDeadline in(Duration rest) {
    return LocalDeadline.after(System.nanoTime(), rest);
  }

  private static KeptLease kept(Duration leaseRest, Duration attemptRest) {
    return new KeptLease(
        OpenEffect.leasedFor(leaseRest).scope().holder(),
        new LeaseMargin(Duration.ZERO),
        in(LONG),
        in(attemptRest));
  }

  private int answering(int from) {
    if (asked.incrementAndGet() < from) {
      throw new LedgerUnavailableException("down", new IllegalStateException());
    }
    return from;
  }

  private void askedOnce(KeptLease kept) {
    assertThatThrownBy(() -> AskAgain.whileHeld(kept, () -> answering(3)))
        .isInstanceOf(LedgerUnavailableException.class);
    assertThat(asked).hasValue(1);
  }

  @Test
  void while_the_lease_lasts_and_the_attempt_too_it_is() {
    assertThat(AskAgain.<Integer>whileHeld(kept(LONG, LONG), () -> answering(3))).isEqualTo(3);
  }

  @Test
  void once_the_attempt_is_given_up_it_is_not_though_the_lease_lasts() {
    askedOnce(kept(LONG, OVER));
  }

  @Test
  void once_the_lease_is_over_it_is_not_though_the_attempt_lasts() {
    askedOnce(kept(OVER, LONG));
  }
}
