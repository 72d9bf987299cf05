package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.Inquiry;
import dev.holdfast.activities.Reconciled;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.WorkerName;
import io.temporal.activity.ActivityInterface;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FencedActivityInterceptorTest {
  /** One that declares something and one that does not. */
  @ActivityInterface
  public interface Activities {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H")
    String effect(@OperationKey String key);

    String plain(String key);
  }

  /** Is asked for its types at each look-up that reads the class. */
  private record Counting(AtomicInteger lookedUp) implements Activities, Reconciles<String> {
    @Override
    public String effect(String key) {
      return key;
    }

    @Override
    public String plain(String key) {
      return key;
    }

    @Override
    public Reconciled<String> reconcile(Inquiry inquiry) {
      throw new AssertionError("nobody asks");
    }

    @Override
    public Set<String> activityTypes() {
      lookedUp.incrementAndGet();
      return Set.of("Effect");
    }
  }

  @Test
  void an_implementation_is_read_once_whatever_is_called_on_it() {
    FencedActivityInterceptor interceptor =
        new FencedActivityInterceptor(
            () -> {
              throw new AssertionError("a look-up opens no ledger");
            },
            new HoldfastSettings(
                null,
                Duration.ofSeconds(30),
                new LeaseMargin(Duration.ofMillis(50)),
                Duration.ZERO,
                new WorkerName("w"),
                List.of(),
                new HoldfastCounters(),
                List.of(),
                List.of(),
                Duration.ZERO));
    Counting implementation = new Counting(new AtomicInteger());

    for (int i = 0; i < 3; i++) {
      assertThat(interceptor.activity(implementation, "Plain")).isEmpty();
    }
    assertThat(interceptor.activity(implementation, "Effect")).isPresent();

    assertThat(implementation.lookedUp()).hasValue(1);
  }
}
