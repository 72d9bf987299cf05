package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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

  private void askedOnce(ThrowingCallable asking) {
    asked.set(0);
    assertThatThrownBy(asking).isInstanceOf(LedgerUnavailableException.class);
    assertThat(asked).hasValue(1);
  }

  @Test
  void while_the_lease_lasts_and_the_attempt_too_it_is() {
    assertThat(AskAgain.<Integer>whileLeased(kept(LONG, LONG), () -> answering(3))).isEqualTo(3);
    assertThat(AskAgain.<Integer>whileAwaited(kept(LONG, LONG), () -> answering(3))).isEqualTo(3);
  }

  @Test
  void a_success_is_told_while_the_lease_lasts_though_the_attempt_was_given_up() {
    assertThat(AskAgain.<Integer>whileLeased(kept(LONG, OVER), () -> answering(3))).isEqualTo(3);
  }

  @Test
  void anything_else_is_not_once_the_attempt_is_given_up() {
    askedOnce(() -> AskAgain.whileAwaited(kept(LONG, OVER), () -> answering(3)));
  }

  @Test
  void once_the_lease_is_over_it_is_not_though_the_attempt_lasts() {
    askedOnce(() -> AskAgain.whileLeased(kept(OVER, LONG), () -> answering(3)));
    askedOnce(() -> AskAgain.whileAwaited(kept(OVER, LONG), () -> answering(3)));
  }
}
