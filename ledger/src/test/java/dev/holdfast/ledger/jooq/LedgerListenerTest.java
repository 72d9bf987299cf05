package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Whoever counts hears once of each operation that parks, whichever verb parked it. */
class LedgerListenerTest extends LossBed {
  private final AtomicInteger parked = new AtomicInteger();
  private final AtomicInteger readBacks = new AtomicInteger();
  private final JooqLedger heard;

  LedgerListenerTest(EmbeddedLedger embedded) {
    super(embedded);
    LedgerListener counting =
        new LedgerListener() {
          @Override
          public void readBack() {
            readBacks.incrementAndGet();
          }

          @Override
          public void parked() {
            parked.incrementAndGet();
          }
        };
    this.heard =
        JooqLedger.open(embedded.dataSource(proxy), LedgerOptions.standard().heardBy(counting));
  }

  private static Asking opaque(String key) {
    return Asking.about(key).under(new OpenAttemptRule.ParkWhileOpen());
  }

  @Test
  void a_claim_that_parks_is_heard_and_one_that_finds_it_parked_is_not() {
    Asking asking = opaque("by-claim");
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);

    assertThat(asking.claim(heard)).isInstanceOf(Claim.Parked.class);
    assertThat(asking.claim(heard)).isInstanceOf(Claim.Parked.class);

    assertThat(parked).hasValue(1);
  }

  @Test
  void an_unclear_end_that_parks_is_heard_once() {
    Asking asking = opaque("by-end");
    Lease lease = asking.dispatched(heard);

    heard.end(lease, new AttemptEnd.Unclear("no_answer"));
    heard.end(lease, new AttemptEnd.Unclear("no_answer"));

    assertThat(parked).hasValue(1);
  }

  @Test
  void an_unclear_end_that_parks_nothing_is_not_heard() {
    Lease lease = Asking.about("not-by-end").dispatched(heard);

    heard.end(lease, new AttemptEnd.Unclear("no_answer"));

    assertThat(parked).hasValue(0);
  }

  @Test
  void who_looks_after_it_and_parks_it_is_heard_once() {
    Asking asking = opaque("by-attendance");
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);

    assertThat(asking.attended(heard).parkedReason()).isNotNull();
    assertThat(asking.attended(heard).parkedReason()).isNotNull();

    assertThat(parked).hasValue(1);
  }

  @Test
  void who_looks_after_it_and_parks_nothing_is_not_heard() {
    Asking asking = Asking.about("not-by-attendance");
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);

    assertThat(asking.attended(heard).parkedReason()).isNull();

    assertThat(parked).hasValue(0);
  }

  @Test
  void a_finding_that_parks_is_heard() {
    Asking asking = Asking.about("by-finding").under(new OpenAttemptRule.AskFirst());
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);

    if (asking.claim(heard) instanceof Claim.Reconcile(var lease, var open)) {
      assertThat(heard.reconcile(lease, new Finding.OnlyAPersonCanTell("other_tag")))
          .isEqualTo(new ReconcileOutcome.Parked("other_tag"));
    }

    assertThat(parked).hasValue(1);
  }

  @Test
  void a_lost_answer_is_heard_when_it_is_looked_for() {
    lose(CLAIM, LOSE_ANSWER);

    granted(Asking.about("lost").claim(heard));

    assertThat(readBacks).hasValue(1);
    assertThat(parked).hasValue(0);
  }

  @Test
  void who_parks_and_loses_the_answer_finds_it_parked_and_nobody_hears() {
    Asking asking = opaque("by-lost-end");
    Lease lease = asking.dispatched(rival);
    lose(COMMIT, LOSE_ANSWER);

    heard.end(lease, new AttemptEnd.Unclear("no_answer"));

    operation(asking).isParkedFor("open_attempt");
    assertThat(readBacks).hasValue(1);
    assertThat(parked).hasValue(0);
  }

  @Test
  void an_attendance_and_a_persons_act_are_looked_for_as_well() {
    Asking asking = opaque("by-lost-attendance");
    asking.dispatched(rival);
    clock.shift(Asking.LEASE);
    lose(COMMIT, LOSE_ANSWER);

    asking.attended(heard);

    assertThat(readBacks).hasValue(1);
    lose(COMMIT, LOSE_ANSWER);

    heard.acts().resolve(ActBed.terms(asking.reservation()), ActBed.didNotHappenWhateverMayLand());

    assertThat(readBacks).hasValue(2);
  }
}
