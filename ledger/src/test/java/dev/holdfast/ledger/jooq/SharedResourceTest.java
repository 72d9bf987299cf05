package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jooq.Record;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SharedResourceTest {
  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  SharedResourceTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.pool(1), LedgerOptions.standard());
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  private Record resource(ResourceId resource) {
    return embedded
        .sql()
        .selectFrom(RESOURCE)
        .where(RESOURCE.RESOURCE_ID.eq(resource.value()))
        .fetchSingle();
  }

  @Test
  void operation_and_resource_bear_one_token_one_claim_and_one_end() {
    ResourceId room = ResourceId.shared("one");
    Asking asking = Asking.about("one", room);

    UndispatchedLease lease = asking.granted(ledger);

    Record held = resource(room);
    LedgerAssert.assertThat(stored(asking))
        .wasLastClaimedBy(lease)
        .has(OPERATION.EXPIRES_AT, held.get(RESOURCE.EXPIRES_AT));
    assertThat(held.get(RESOURCE.FENCING_TOKEN)).isEqualTo(lease.token().value());
    assertThat(held.get(RESOURCE.CLAIM_ID)).isEqualTo(lease.claimId().value());
    assertThat(held.get(RESOURCE.RELEASED)).isFalse();
  }

  @Test
  void a_live_resource_is_busy_for_every_other_operation_and_for_its_own() {
    ResourceId room = ResourceId.shared("busy");
    Asking.about("holder", room).granted(ledger);
    Asking other = Asking.about("other", room);

    assertThat(other.claim(ledger)).isInstanceOf(Claim.Busy.class);
    assertThat(Asking.about("holder", room).claim(ledger)).isInstanceOf(Claim.Busy.class);

    LedgerAssert.assertThat(stored(other)).isAbsent();
    assertThat(Wal.writtenBy(embedded, () -> other.claim(ledger))).isZero();
  }

  @Test
  void a_completed_operation_is_replayed_whoever_holds_the_resource() {
    ResourceId room = ResourceId.shared("replay");
    Asking done = Asking.about("done", room);
    ledger.release(done.committed(ledger).permit());
    Asking.about("next", room).granted(ledger);

    assertThat(done.claim(ledger)).isInstanceOf(Claim.Replay.class);
    assertThat(Wal.writtenBy(embedded, () -> done.claim(ledger))).isZero();
  }

  @Test
  void release_frees_both_and_the_next_token_is_higher() {
    ResourceId room = ResourceId.shared("freed");
    Asking first = Asking.about("first", room);
    SettleOutcome.Committed committed = first.committed(ledger);
    assertThat(Asking.about("second", room).claim(ledger)).isInstanceOf(Claim.Busy.class);

    assertThat(ledger.release(committed.permit())).isInstanceOf(ReleaseOutcome.Released.class);

    LedgerAssert.assertThat(stored(first)).isReleased();
    assertThat(Asking.about("second", room).granted(ledger).token().value())
        .isGreaterThan(committed.receipt().token().value());
  }

  @Test
  void abandoning_frees_both() {
    ResourceId room = ResourceId.shared("abandoned");
    UndispatchedLease lease = Asking.about("gives-back", room).granted(ledger);

    assertThat(ledger.abandon(lease)).isEqualTo(AbandonOutcome.ABANDONED);

    Asking.about("takes", room).granted(ledger);
  }

  @Test
  void renewal_prolongs_both() {
    ResourceId room = ResourceId.shared("renewed");
    Asking asking = Asking.about("renewed", room);
    UndispatchedLease lease = asking.granted(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Duration.ofSeconds(20));
      Instant now = clock.stop();

      assertThat(ledger.renew(List.of(lease), Asking.LEASE)).hasSize(1);

      assertThat(resource(room).get(RESOURCE.EXPIRES_AT)).isEqualTo(now.plus(Asking.LEASE));
      LedgerAssert.assertThat(stored(asking)).has(OPERATION.EXPIRES_AT, now.plus(Asking.LEASE));
    }
  }

  @Test
  void an_operation_whose_resource_was_taken_is_dead_whatever_its_own_columns_say() {
    ResourceId room = ResourceId.shared("taken");
    Asking overtaken = Asking.about("overtaken", room);
    Lease lease = overtaken.dispatched(ledger);
    expire(room);
    Asking rival = Asking.about("rival", room);
    SettleOutcome.Committed committed = rival.committed(ledger);

    assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
        .isNotInstanceOf(SettleOutcome.Committed.class);
    assertThat(ledger.renew(List.of(lease), Asking.LEASE)).isEmpty();
    assertThat(ledger.read(overtaken.reservation().scope(), overtaken.reservation().operation()))
        .hasValueSatisfying(view -> assertThat(view.leaseRest()).isZero());
    LedgerAssert.assertThat(stored(overtaken)).hasReceipts(0).hasPendingEvidence(1);

    ledger.release(committed.permit());
    assertThat(overtaken.claim(ledger)).isInstanceOf(Claim.Replay.class);
    LedgerAssert.assertThat(stored(overtaken)).isInState(OperationState.COMPLETED);
  }

  /** As if the clock had gone on for the resource alone. */
  private void expire(ResourceId room) {
    assertThat(
            embedded
                .sql()
                .update(RESOURCE)
                .set(RESOURCE.EXPIRES_AT, Instant.EPOCH)
                .where(RESOURCE.RESOURCE_ID.eq(room.value()))
                .execute())
        .isEqualTo(1);
  }

  @Test
  void a_dead_operation_is_claimed_again_under_a_token_above_the_resources() {
    ResourceId room = ResourceId.shared("dead");
    Asking dead = Asking.about("dead", room);
    dead.granted(ledger);
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.shift(Asking.LEASE);
      Asking.about("in-between", room).granted(ledger);
      long between = Objects.requireNonNull(resource(room).get(RESOURCE.FENCING_TOKEN));
      clock.shift(Asking.LEASE.multipliedBy(2));

      UndispatchedLease again = dead.granted(ledger);

      assertThat(again.token().value()).isGreaterThan(between);
      LedgerAssert.assertThat(stored(dead)).hasOpenAttempts(2);
    }
  }

  @Test
  void the_margin_is_that_of_the_lease_which_ends_first() {
    ResourceId room = ResourceId.shared("margin");
    Asking asking = Asking.about("margin", room).keeping(Duration.ofSeconds(10));
    Lease lease = asking.dispatched(ledger);
    Instant end = Objects.requireNonNull(resource(room).get(RESOURCE.EXPIRES_AT));
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      clock.stopAt(end.minusSeconds(4));

      assertThat(ledger.settle(lease, Asking.response(), Asking.RESULT))
          .isEqualTo(new SettleOutcome.MarginTooThin(Duration.ofSeconds(4)));
    }
  }

  @Test
  void a_refused_operation_leaves_the_resource_free() {
    ResourceId room = ResourceId.shared("refused");
    Asking done = Asking.about("refused", room);
    ledger.release(done.committed(ledger).permit());
    boolean released = Objects.requireNonNull(resource(room).get(RESOURCE.RELEASED));

    assertThat(done.withFingerprintOf("another").claim(ledger)).isInstanceOf(Claim.Rejected.class);

    assertThat(released).isTrue();
    assertThat(resource(room).get(RESOURCE.RELEASED)).isTrue();
  }
}
