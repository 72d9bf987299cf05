package dev.holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.Rows;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClaimRequestTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Reservation RESERVATION = Rows.reservation("a");

  @Test
  void a_lease_lasts_some_time_and_a_dispatch_begins_within_it_or_later() {
    assertThat(request(LEASE, LEASE, Duration.ZERO).leaseFor()).isEqualTo(LEASE);
    assertRefused(() -> request(Duration.ZERO, LEASE, Duration.ZERO));
    assertRefused(() -> request(LEASE.negated(), LEASE, Duration.ZERO));
    assertRefused(() -> request(LEASE, LEASE.minusNanos(1), Duration.ZERO));
    assertRefused(() -> request(LEASE, LEASE, Duration.ofNanos(-1)));
  }

  @Test
  void a_key_horizon_leaves_something_after_its_slack() {
    Duration day = Duration.ofDays(1);

    OpenAttemptRule.Unsure then = new OpenAttemptRule.ParkWhileOpen();

    assertThat(new OpenAttemptRule.SameKeyAgain(day, LEASE, then).usable())
        .isEqualTo(day.minus(LEASE));
    assertRefused(() -> new OpenAttemptRule.SameKeyAgain(LEASE, LEASE, then));
    assertRefused(() -> new OpenAttemptRule.SameKeyAgain(day, LEASE.negated(), then));
  }

  @Test
  void a_gate_is_another_operation_of_the_same_scope() {
    assertThat(request(completion(Rows.reservation("b"), "tenant")).gates()).hasSize(1);
    assertRefused(() -> request(completion(RESERVATION, "tenant")));
    assertRefused(() -> request(completion(Rows.reservation("b"), "other")));
  }

  private static Completion completion(Reservation of, String scope) {
    return new Completion(
        new Scope(scope),
        of.operation(),
        of.fingerprint(),
        of.generation(),
        new Epoch(0),
        new EffectId("effect"),
        new ReceiptNumber(1),
        new LedgerPosition("7", 1));
  }

  private static ClaimRequest request(Completion gate) {
    return request(LEASE, LEASE, Duration.ZERO, List.of(gate));
  }

  private static ClaimRequest request(Duration lease, Duration within, Duration inFlight) {
    return request(lease, within, inFlight, List.of());
  }

  private static ClaimRequest request(
      Duration lease, Duration within, Duration inFlight, List<Completion> gates) {
    return new ClaimRequest(
        RESERVATION,
        ClaimId.random(),
        new WorkerName("worker"),
        new AttemptOrigin("default", null, null, null, 1),
        lease,
        within,
        inFlight,
        LeaseMargin.STANDARD,
        new OpenAttemptRule.RolledBack(),
        SettlementPolicy.STANDARD,
        gates);
  }

  private static void assertRefused(ThrowingCallable making) {
    assertThatThrownBy(making).isInstanceOf(IllegalArgumentException.class);
  }
}
