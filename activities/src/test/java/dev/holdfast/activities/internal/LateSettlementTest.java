package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor.ActivityOutput;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A settlement that comes too late, or is held up, loses nothing that was seen. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LateSettlementTest {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final byte[] BODY = "done".getBytes(StandardCharsets.UTF_8);

  private final OperationRows rows;
  private final LedgerClock clock;
  private final Ledger real;
  private final String key = UUID.randomUUID().toString();
  private final AtomicInteger settlements = new AtomicInteger();
  private volatile @Nullable Supplier<Claim> claiming;
  private volatile boolean renewable = true;

  LateSettlementTest(EmbeddedLedger database) {
    this.rows = new OperationRows(database);
    this.clock = LedgerClock.of(database);
    this.real = JooqLedger.open(database.dataSource(), LedgerOptions.standard());
  }

  @AfterEach
  void close() {
    clock.close();
  }

  private Barrier barrier() {
    return Barrier.over(
        ledger(),
        new HoldfastSettings(
            null,
            LEASE,
            new LeaseMargin(Duration.ofMillis(50)),
            Duration.ZERO,
            new WorkerName("test"),
            List.of(),
            new HoldfastCounters(),
            List.of(),
            List.of(),
            Duration.ZERO),
        new Waiters());
  }

  /** The real one, whose claims may be answered otherwise. */
  private Ledger ledger() {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, method, arguments) -> {
              Supplier<Claim> otherwise = claiming;
              if (otherwise != null && method.getName().equals("claim")) {
                return otherwise.get();
              }
              if (!renewable && method.getName().equals("renew")) {
                return Set.of();
              }
              if (method.getName().equals("settle")) {
                settlements.incrementAndGet();
              }
              try {
                return method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A lease that no renewal can make long enough, dispatched. */
  private UndispatchedLease thin() {
    Claim claim =
        real.claim(
            OpenEffect.claim(
                key,
                LEASE,
                LEASE.multipliedBy(5),
                new OpenAttemptRule.SameKeyAgain(
                    Duration.ofHours(1), Duration.ZERO, new OpenAttemptRule.ParkWhileOpen())));
    return ((Claim.Granted) claim).lease();
  }

  private static KeptLease kept(UndispatchedLease lease) {
    return kept(lease, Duration.ofMinutes(1));
  }

  private static KeptLease kept(UndispatchedLease lease, Duration attemptRest) {
    return new KeptLease(
        lease,
        new LeaseMargin(Duration.ZERO),
        LocalDeadline.after(System.nanoTime(), Duration.ofMinutes(1)),
        LocalDeadline.after(System.nanoTime(), attemptRest));
  }

  private static VerifiedResponse response() {
    Verification verification =
        new UpstreamResponse(200, true, BODY, List.of(), new EffectId("one"))
            .verify(UpstreamResponse.DigestRule.OPTIONAL);
    return ((Verification.Verified) verification).response();
  }

  @Test
  void a_success_whose_margin_stays_thin_is_stored_once_the_lease_is_over() {
    UndispatchedLease lease = thin();

    SettleOutcome outcome =
        barrier()
            .border()
            .settle(lease.dispatch(), kept(lease), response(), new StoredResult.NoValue());

    assertThat(outcome).isInstanceOf(SettleOutcome.LeaseExpired.class);
    assertThat(rows.observations(key, "effect")).containsExactly("succeeded pending");
  }

  @Test
  void a_clock_that_stands_still_is_waited_for_once_where_the_attempt_was_given_up() {
    Instant claimed = clock.stop();
    UndispatchedLease lease = thin();
    clock.stopAt(claimed.plus(LEASE).minusMillis(20));
    renewable = false;

    SettleOutcome outcome =
        barrier()
            .border()
            .settle(
                lease.dispatch(),
                kept(lease, Duration.ZERO),
                response(),
                new StoredResult.NoValue());

    assertThat(outcome).isInstanceOf(SettleOutcome.MarginTooThin.class);
    assertThat(settlements).hasValue(3);
  }

  @Test
  void a_failure_whose_margin_stays_thin_closes_its_attempt() {
    UndispatchedLease lease = thin();
    AttemptEnd no = new AttemptEnd.Failed(new SettledFailure("no", 422));

    EndOutcome outcome = barrier().border().end(lease.dispatch(), kept(lease), no);

    assertThat(outcome)
        .isInstanceOfSatisfying(
            EndOutcome.Recorded.class,
            recorded -> assertThat(recorded.operation().openAttempts()).isZero());
  }

  private ActivityOutput call(Barrier barrier, Runnable afterDispatch) {
    OperationId operation = new OperationId("Effect", key);
    FencedRequest request =
        new FencedRequest(
            OpenEffect.method("export"),
            OpenEffect.reservation(new Scope("default"), operation),
            List.of(),
            new AttemptOrigin("default", null, null, null, 1),
            AttemptTime.of(Duration.ofMinutes(1)),
            Question.none(),
            null,
            Attesting.NOT_DEMANDED);
    ResultCodec codec =
        new ResultCodec(
            DefaultDataConverter.newDefaultInstance(), OpenEffect.method("export").method());
    return new FencedCall(barrier, request, codec, new WaitInPlace(Duration.ZERO, () -> {}))
        .run(
            () -> {
              String done =
                  FencedEffect.current().dispatch(sent -> "done", Evidence.of(d -> 200, d -> BODY));
              afterDispatch.run();
              return new ActivityOutput(done);
            });
  }

  private void violated(Supplier<Claim> nextClaim) {
    Barrier barrier = barrier();

    ApplicationFailure failure =
        catchThrowableOfType(
            ApplicationFailure.class,
            () ->
                call(
                    barrier,
                    () -> {
                      clock.shift(Duration.ofMinutes(5));
                      claiming = nextClaim;
                    }));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEASE_EXPIRED);
    assertThat(rows.observations(key)).containsExactly("succeeded pending");
  }

  @Test
  void a_ledger_out_of_reach_after_the_effect_is_not_told_as_if_nothing_was_done() {
    violated(
        () -> {
          throw new LedgerUnavailableException("down", new IllegalStateException());
        });
  }

  @Test
  void a_gate_that_closed_after_the_effect_is_not_told_as_if_nothing_was_done() {
    violated(
        () -> new Claim.GateClosed(new OperationId("export", "other"), Claim.GateReason.FAILED));
  }

  @Test
  void a_binding_that_was_rotated_after_the_effect_is_not_told_as_if_nothing_was_done() {
    violated(() -> new Claim.Superseded(new Generation(2)));
  }

  private String supersededMessage() {
    claiming = () -> new Claim.Superseded(new Generation(2));
    ApplicationFailure failure =
        catchThrowableOfType(ApplicationFailure.class, () -> call(barrier(), () -> {}));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.BINDING_SUPERSEDED);
    assertThat(failure.isNonRetryable()).isTrue();
    return failure.getOriginalMessage();
  }

  @Test
  void what_is_completed_under_an_old_binding_is_not_to_be_requested_anew() {
    call(barrier(), () -> {});

    assertThat(supersededMessage()).contains("do not request the effect anew");
  }

  @Test
  void what_may_have_happened_under_an_old_binding_is_not_to_be_requested_anew() {
    assertThat(
            catchThrowable(
                () ->
                    call(
                        barrier(),
                        () -> {
                          throw new IllegalStateException("after the effect");
                        })))
        .isNotNull();

    assertThat(supersededMessage()).contains("do not request the effect anew");
  }

  @Test
  void what_nobody_did_under_an_old_binding_is_to_be_requested_anew() {
    assertThat(supersededMessage())
        .contains("request the effect anew under the current generation")
        .doesNotContain("do not");
  }

  @Test
  void a_callback_that_takes_its_time_holds_up_no_release() {
    CountDownLatch forever = new CountDownLatch(1);
    Barrier barrier = barrier();
    barrier.aside().tell(() -> uninterruptibly(forever));

    call(barrier, () -> {});

    await().atMost(Duration.ofSeconds(30)).until(() -> rows.released(key));
    forever.countDown();
  }

  private static void uninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
