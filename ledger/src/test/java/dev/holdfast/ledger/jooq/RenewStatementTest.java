package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RenewStatementTest {
  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  RenewStatementTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  private Instant end(Asking asking) {
    return Objects.requireNonNull(
        StoredOperation.of(embedded, asking.reservation()).get(OPERATION.EXPIRES_AT));
  }

  @Test
  void a_live_lease_lasts_from_now_and_its_revision_stays() {
    Asking asking = Asking.about("prolonged");
    UndispatchedLease lease = asking.granted(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Duration.ofSeconds(20));
      Instant now = clock.stop();

      assertThat(ledger.renew(List.of(lease), Asking.LEASE)).containsExactly(lease.claimId());

      assertThat(end(asking)).isEqualTo(now.plus(Asking.LEASE));
      LedgerAssert.assertThat(StoredOperation.of(embedded, asking.reservation()))
          .has(OPERATION.REVISION, 1L);
    }
  }

  @Test
  void the_holder_sees_its_local_deadline_move_before_and_after_dispatch() {
    UndispatchedLease undispatched = Asking.about("local").granted(ledger);
    Lease lease = undispatched.dispatch();

    ledger.renew(List.of(undispatched), Duration.ofMinutes(10));

    assertThat(lease.expiry().rest()).isGreaterThan(Duration.ofMinutes(9));
    assertThat(undispatched.expiry()).isEqualTo(lease.expiry());
  }

  @Test
  void a_dead_lease_is_not_revived() {
    Asking asking = Asking.about("dead");
    UndispatchedLease lease = asking.granted(ledger);
    Instant end = end(asking);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.stopAt(end);

      assertThat(ledger.renew(List.of(lease), Asking.LEASE)).isEmpty();
    }
    assertThat(end(asking)).isEqualTo(end);
  }

  @Test
  void a_shorter_renewal_takes_nothing_away() {
    Asking asking = Asking.about("shorter");
    UndispatchedLease lease = asking.granted(ledger);
    Instant end = end(asking);

    assertThat(ledger.renew(List.of(lease), Duration.ofSeconds(1))).hasSize(1);

    assertThat(end(asking)).isEqualTo(end);
    assertThat(lease.expiry().rest()).isGreaterThan(Duration.ofSeconds(5));
  }

  @Test
  void released_overtaken_and_abandoned_leases_are_not_renewed() {
    Asking released = Asking.about("released");
    Lease done = released.dispatched(ledger);
    ledger.release(Asking.committed(ledger, done).permit());
    UndispatchedLease abandoned = Asking.about("abandoned").granted(ledger);
    ledger.abandon(abandoned);
    Asking asking = Asking.about("overtaken");
    UndispatchedLease overtaken = asking.granted(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Asking.LEASE);
      UndispatchedLease rival = asking.granted(ledger);

      assertThat(ledger.renew(List.of(done, abandoned, overtaken, rival), Asking.LEASE))
          .isEqualTo(Set.of(rival.claimId()));
    }
  }

  @Test
  void a_locked_lease_holds_nobody_up() throws Exception {
    Asking locked = Asking.about("locked");
    UndispatchedLease first = locked.granted(ledger);
    UndispatchedLease second = Asking.about("free").granted(ledger);
    try (RowLock lock = RowLock.on(embedded, locked.reservation())) {
      assertThat(ledger.renew(List.of(first, second), Asking.LEASE))
          .isEqualTo(Set.of(second.claimId()));
      lock.commit();
    }
  }

  @Test
  void nothing_is_renewed_for_no_time() {
    assertThatThrownBy(() -> ledger.renew(List.of(), Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(ledger.renew(List.of(), Asking.LEASE)).isEmpty();
  }
}
