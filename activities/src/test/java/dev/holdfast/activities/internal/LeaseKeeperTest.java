package dev.holdfast.activities.internal;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.WorkerName;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A machine that can make no thread, for a moment, stops no renewals for ever. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LeaseKeeperTest {
  private final CountDownLatch renewed = new CountDownLatch(1);
  private final AtomicBoolean failed = new AtomicBoolean();

  private Ledger ledger(AtomicBoolean failing) {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, method, arguments) -> {
              assertThat(method.getName()).isEqualTo("renew");
              if (failing.getAndSet(false)) {
                throw new StackOverflowError();
              }
              renewed.countDown();
              return Set.of();
            });
  }

  private LeaseKeeper keeper(Ledger ledger, String threadless) {
    HoldfastSettings settings =
        new HoldfastSettings(
            null,
            Duration.ofMillis(300),
            new LeaseMargin(Duration.ZERO),
            Duration.ZERO,
            new WorkerName("test"),
            List.of(),
            new HoldfastCounters(),
            List.of(),
            List.of(),
            Duration.ZERO);
    return new LeaseKeeper(
        ledger, settings, new Aside(ledger), name -> threads(name, name.equals(threadless)));
  }

  /** The first thread that is wanted of them cannot be made. */
  private ThreadFactory threads(String name, boolean threadless) {
    ThreadFactory daemons = Aside.daemons(name);
    return work -> {
      if (threadless && failed.compareAndSet(false, true)) {
        throw new OutOfMemoryError("unable to create native thread");
      }
      return daemons.newThread(work);
    };
  }

  private static void keep(LeaseKeeper keeper) {
    HeldLease lease = OpenEffect.of("export").scope().holder();
    LocalDeadline end = LocalDeadline.after(System.nanoTime(), Duration.ofMinutes(2));
    var unused = keeper.keep(lease, end, end);
  }

  private Ledger sound() {
    return ledger(new AtomicBoolean());
  }

  @Test
  void renewals_go_on_when_their_thread_could_not_be_made_once() throws Exception {
    keep(keeper(sound(), "holdfast-renewals"));

    assertThat(renewed.await(60, SECONDS)).isTrue();
    assertThat(failed).isTrue();
  }

  @Test
  void the_next_lease_starts_the_clock_that_could_not_be_started() throws Exception {
    LeaseKeeper keeper = keeper(sound(), "holdfast-keeper");
    keep(keeper);
    assertThat(failed).isTrue();
    keep(keeper);

    assertThat(renewed.await(60, SECONDS)).isTrue();
  }

  @Test
  void an_error_of_the_ledgers_driver_ends_one_renewal_alone() throws Exception {
    AtomicBoolean failing = new AtomicBoolean(true);
    keep(keeper(ledger(failing), "none"));

    assertThat(renewed.await(60, SECONDS)).isTrue();
    assertThat(failing).isFalse();
  }
}
