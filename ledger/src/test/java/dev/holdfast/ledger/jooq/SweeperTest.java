package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.fresh;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationType;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.Sweeper.Swept;
import dev.holdfast.ledger.Sweeper.Terms;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SweeperTest {
  private static final WorkerName WORKER = new WorkerName("sweeper-1");
  private static final Terms TERMS = Terms.standard(WORKER);

  /** A ledger for each test: a sweeper sweeps all of it. */
  private EmbeddedLedger ledger;

  private SettlementBed bed;
  private Sweeper sweeper;

  @BeforeEach
  void open() {
    ledger = EmbeddedLedger.fresh();
    bed = new SettlementBed(ledger);
    sweeper = bed.jooq.sweeper();
  }

  @AfterEach
  void close() {
    bed.close();
    ledger.close();
  }

  private LedgerAssert operation(Reservation reservation) {
    return LedgerAssert.assertThat(bed.stored(reservation));
  }

  private static Terms atMost(int size) {
    return new Terms(size, Duration.ofDays(7), SettlementPolicy.STANDARD, WORKER);
  }

  @Test
  void a_lease_that_is_over_is_demoted_and_its_attempt_stays_open() {
    Lease dead = bed.claimBriefly(fresh());
    Lease live = bed.claim(fresh());

    assertThat(sweeper.sweep(TERMS)).isEqualTo(new Swept(1, 0, false));

    operation(dead.reservation())
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(1)
        .hasObservations("lease_expired demoted");
    operation(live.reservation()).isInState(OperationState.IN_PROGRESS).wasLastClaimedBy(live);
    assertThat(sweeper.sweep(TERMS)).isEqualTo(new Swept(0, 0, false));
  }

  @Test
  void evidence_is_picked_up_through_a_claim_of_its_own() {
    Lease dead = bed.claimBriefly(fresh());
    bed.jooq.settle(dead, response("effect"), result("effect"));

    assertThat(sweeper.sweep(TERMS)).isEqualTo(new Swept(1, 1, false));

    operation(dead.reservation())
        .isCompletedWith(response("effect").digest())
        .hasReceipts(1)
        .hasPendingEvidence(0)
        .isReleased();
    assertThat((Long) bed.stored(dead.reservation()).receipts().getFirst().get("fencing_token"))
        .isGreaterThan(dead.token().value());
  }

  @Test
  void evidence_of_two_effects_is_a_conflict() {
    Lease first = bed.claimBriefly(fresh());
    Lease second = bed.claimBriefly(first.reservation());
    bed.jooq.settle(first, response("effect-1"), result("effect-1"));
    bed.jooq.settle(second, response("effect-2"), result("effect-2"));

    assertThat(sweeper.sweep(TERMS).settled()).isEqualTo(1);

    operation(first.reservation()).isInState(OperationState.CONFLICT).hasReceipts(0);
  }

  @Test
  void a_live_holder_keeps_its_operation_though_evidence_is_stored() {
    Lease former = bed.claimBriefly(fresh());
    Lease holder = bed.claim(former.reservation());
    bed.jooq.settle(former, response("effect"), result("effect"));

    assertThat(sweeper.sweep(TERMS)).isEqualTo(new Swept(0, 0, false));

    operation(former.reservation()).wasLastClaimedBy(holder).hasPendingEvidence(1);
  }

  private static final OpenAttemptRule.Unsure OPAQUE = new OpenAttemptRule.ParkWhileOpen();
  private static final OpenAttemptRule SAME_KEY =
      new OpenAttemptRule.SameKeyAgain(Duration.ofHours(24), Duration.ofMinutes(1), OPAQUE);

  private static Terms by(OpenAttemptRule rule) {
    return TERMS.parkingBy(Map.of(new OperationType("export"), rule));
  }

  @Test
  void it_parks_what_its_rule_leaves_to_a_person_and_only_once() {
    Lease dead = bed.claimBriefly(fresh());

    assertThat(sweeper.sweep(by(OPAQUE))).isEqualTo(new Swept(1, 1, 0, false));
    assertThat(sweeper.sweep(by(OPAQUE))).isEqualTo(new Swept(0, 0, 0, false));

    operation(dead.reservation())
        .isParkedFor("open_attempt")
        .hasOpenAttempts(1)
        .hasObservations("lease_expired demoted");
    assertThat(bed.jooq.acts().list(AwaitingQuery.all())).hasSize(1);
  }

  @Test
  void what_was_demoted_before_its_key_was_forgotten_is_parked_once_it_is() {
    Lease dead = bed.claimBriefly(fresh());
    assertThat(sweeper.sweep(by(SAME_KEY))).isEqualTo(new Swept(1, 0, 0, false));
    bed.pass(Duration.ofHours(23));
    assertThat(sweeper.sweep(by(SAME_KEY))).isEqualTo(new Swept(0, 0, 0, false));
    bed.pass(Duration.ofHours(1));

    assertThat(sweeper.sweep(by(SAME_KEY))).isEqualTo(new Swept(0, 1, 0, false));

    operation(dead.reservation()).isParkedFor("key_horizon");
  }

  @Test
  void what_others_can_tell_about_is_not_parked_however_old() {
    OpenAttemptRule asks = new OpenAttemptRule.AskFirst();
    List<OpenAttemptRule> others =
        List.of(
            asks,
            new OpenAttemptRule.RolledBack(),
            new OpenAttemptRule.SameKeyAgain(
                Duration.ofHours(24), Duration.ofMinutes(1), new OpenAttemptRule.AskFirst()));
    Lease dead = bed.claimBriefly(fresh());
    bed.pass(Duration.ofDays(2));

    others.forEach(rule -> assertThat(sweeper.sweep(by(rule)).parked()).isZero());
    Map<OperationType, OpenAttemptRule> ofAnotherType =
        Map.of(new OperationType("exp"), OPAQUE, new OperationType("export2"), OPAQUE);
    assertThat(sweeper.sweep(TERMS.parkingBy(ofAnotherType)).parked()).isZero();

    operation(dead.reservation())
        .isInState(OperationState.UNKNOWN)
        .has(OPERATION.PARKED_REASON, null);
  }

  @Test
  void neither_a_live_holder_nor_a_witness_nor_a_closed_attempt_is_parked() {
    Lease live = bed.claim(fresh());
    Lease refused = bed.claim(fresh());
    bed.jooq.end(refused, new AttemptEnd.Refused(429));
    Lease witnessed = bed.claimBriefly(fresh());
    bed.claimBriefly(witnessed.reservation());
    bed.jooq.settle(witnessed, response("effect"), result("effect"));

    assertThat(sweeper.sweep(by(OPAQUE))).isEqualTo(new Swept(1, 0, 1, false));

    operation(live.reservation()).isInState(OperationState.IN_PROGRESS);
    operation(refused.reservation()).has(OPERATION.PARKED_REASON, null);
    operation(witnessed.reservation()).isInState(OperationState.COMPLETED);
  }

  @Test
  void several_at_once_park_each_once_and_whoever_counts_hears_once_of_each() throws Exception {
    List<Reservation> dead = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      dead.add(bed.claimBriefly(fresh()).reservation());
    }
    AtomicInteger heard = new AtomicInteger();
    LedgerListener counting =
        new LedgerListener() {
          @Override
          public void parked() {
            heard.incrementAndGet();
          }
        };
    Sweeper counted =
        JooqLedger.open(ledger.pool(4), LedgerOptions.standard().heardBy(counting)).sweeper();

    List<List<Swept>> swept =
        Contenders.race(
            4,
            8,
            (contender, round) ->
                counted.sweep(
                    new Terms(5, Terms.LOOK_BACK, SettlementPolicy.STANDARD, WORKER)
                        .parkingBy(Map.of(new OperationType("export"), OPAQUE))));

    assertThat(swept.stream().flatMap(List::stream).mapToInt(Swept::parked).sum()).isEqualTo(20);
    assertThat(heard).hasValue(20);
    dead.forEach(one -> operation(one).isParkedFor("open_attempt"));
  }

  @Test
  void without_a_rule_it_parks_nothing() {
    Asking opaque = Asking.about("opaque").under(new OpenAttemptRule.ParkWhileOpen());
    opaque.dispatched(bed.jooq);
    bed.letLeasesRunOut();

    sweeper.sweep(TERMS);

    operation(opaque.reservation())
        .isInState(OperationState.UNKNOWN)
        .has(OPERATION.PARKED_REASON, null);
  }

  @Test
  void a_batch_is_bounded_and_says_when_there_may_be_more() {
    for (int i = 0; i < 5; i++) {
      bed.claimBriefly(fresh());
    }

    assertThat(sweeper.sweep(atMost(2))).isEqualTo(new Swept(2, 0, true));
    assertThat(sweeper.sweep(atMost(2))).isEqualTo(new Swept(2, 0, true));
    assertThat(sweeper.sweep(atMost(2))).isEqualTo(new Swept(1, 0, false));
  }

  @Test
  void what_somebody_has_locked_is_passed_over_and_not_waited_for() throws Exception {
    Lease locked = bed.claimBriefly(fresh());
    Lease free = bed.claimBriefly(fresh());

    try (RowLock lock = RowLock.on(ledger, locked.reservation())) {
      assertThat(sweeper.sweep(TERMS)).isEqualTo(new Swept(1, 0, false));
      lock.rollback();
    }

    operation(locked.reservation()).isInState(OperationState.IN_PROGRESS);
    operation(free.reservation()).isInState(OperationState.UNKNOWN);
  }

  @Test
  void what_moved_behind_the_look_is_left_alone() {
    Lease dead = bed.claimBriefly(fresh());
    for (String moved : List.of("revision = revision + 1", "fencing_token = fencing_token + 1")) {
      RivalBetween rival =
          new RivalBetween(
              ledger.dataSource(), ledger.sql(), moved, dead.reservation().operation().text(), 1);
      Sweeper meddled = JooqLedger.open(rival.source(), LedgerOptions.standard()).sweeper();

      assertThat(meddled.sweep(TERMS)).isEqualTo(new Swept(0, 0, false));
    }
    operation(dead.reservation()).isInState(OperationState.IN_PROGRESS).hasObservations();
  }

  @Test
  void several_at_once_demote_each_lease_once() throws Exception {
    List<Reservation> dead = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      dead.add(bed.claimBriefly(fresh()).reservation());
    }

    List<List<Swept>> swept =
        Contenders.race(4, 12, (contender, round) -> sweeper.sweep(atMost(5)));

    assertThat(swept.stream().flatMap(List::stream).mapToInt(Swept::demoted).sum()).isEqualTo(40);
    dead.forEach(
        one ->
            operation(one)
                .isInState(OperationState.UNKNOWN)
                .hasObservations("lease_expired demoted"));
  }

  @Test
  void several_at_once_pick_evidence_up_once() throws Exception {
    List<Reservation> waiting = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      Lease lease = bed.claimBriefly(fresh());
      bed.jooq.settle(lease, response("effect"), result("effect"));
      waiting.add(lease.reservation());
    }

    Contenders.race(4, 2, (contender, round) -> sweeper.sweep(TERMS));

    waiting.forEach(one -> operation(one).isInState(OperationState.COMPLETED).hasReceipts(1));
  }

  @Test
  void what_was_claimed_before_the_look_back_is_left_to_its_next_claim() {
    Lease old = bed.claimBriefly(fresh());
    try (LedgerClock later = LedgerClock.of(ledger)) {
      later.shift(Duration.ofDays(8));

      assertThat(sweeper.sweep(TERMS)).isEqualTo(new Swept(0, 0, false));

      operation(old.reservation()).isInState(OperationState.IN_PROGRESS);
      assertThat(sweeper.sweep(TERMS.lookingBack(Duration.ofDays(9))).demoted()).isEqualTo(1);
    }
  }

  @Test
  void nothing_older_is_lost_for_its_next_claim_and_any_sweep_find_it() {
    Asking dead = Asking.about("old-dead").under(OPAQUE);
    Asking witnessed = Asking.about("old-witnessed");
    dead.dispatched(bed.jooq);
    Lease late = witnessed.dispatched(bed.jooq);
    bed.pass(Duration.ofDays(8));
    bed.jooq.settle(late, response("effect"), result("effect"));

    assertThat(sweeper.sweep(by(OPAQUE))).isEqualTo(new Swept(0, 0, 1, false));

    operation(witnessed.reservation()).isInState(OperationState.COMPLETED);
    assertThat(dead.claim(bed.jooq)).isEqualTo(new Claim.Parked("open_attempt"));
  }

  @Test
  void a_run_without_a_bound_or_without_time_is_refused() {
    assertThatThrownBy(() -> atMost(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> atMost(1_001)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> TERMS.lookingBack(Terms.LONGEST_LOOK_BACK.plusNanos(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Terms(1, Duration.ZERO, SettlementPolicy.STANDARD, WORKER))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
