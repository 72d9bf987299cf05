package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  /** Each way to park: it leaves the operation open, and then asks for what parks it. */
  static Stream<Arguments> waysToParkAndToLoseIt() {
    return Stream.of("claim", "end", "attendance", "finding", "superseded")
        .flatMap(way -> Stream.of(LOSE_ANSWER, LOSE_REQUEST).map(how -> Arguments.of(way, how)));
  }

  @ParameterizedTest
  @MethodSource("waysToParkAndToLoseIt")
  void a_parking_of_which_the_commit_is_lost_is_heard_once(String way, Disturbance how) {
    Asking asking = opaque(way + "-" + how.getClass().getSimpleName());
    Runnable parks = parking(way, asking);
    proxy.reset();
    lose(COMMIT, how);

    parks.run();

    operation(asking).hasOpenAttempts(1);
    assertThat(proxy.isSpent()).isTrue();
    assertThat(stored(asking).get(OPERATION.PARKED_REASON)).isNotNull();
    assertThat(readBacks).hasValue(1);
    assertThat(parked).hasValue(1);
  }

  private Runnable parking(String way, Asking asking) {
    Asking asks = asking.under(new OpenAttemptRule.AskFirst());
    Lease lease = asking.dispatched(rival);
    if (way.equals("end")) {
      return () -> heard.end(lease, new AttemptEnd.Unclear("no_answer"));
    }
    clock.shift(Asking.LEASE);
    return switch (way) {
      case "claim" -> () -> asking.claim(heard);
      case "attendance" -> () -> asking.attended(heard);
      case "superseded" -> {
        BindingName binding = new BindingName(asking.reservation().operation().key());
        rotate(binding);
        yield () -> heard.claim(asks.request().boundTo(binding));
      }
      case "finding" -> {
        Claim.Reconcile claim = (Claim.Reconcile) asks.claim(rival);
        yield () -> heard.reconcile(claim.lease(), new Finding.OnlyAPersonCanTell("other_tag"));
      }
      default -> throw new AssertionError(way);
    };
  }

  private void rotate(BindingName binding) {
    rival
        .acts()
        .rotate(
            new Rotation(
                ActId.random(),
                Rows.reservation("any").scope(),
                binding,
                new Generation(0),
                "ann",
                "renewed",
                false));
  }

  /** Nothing but the list tells of it then. */
  @Test
  void a_parking_that_nobody_could_find_out_about_is_not_heard() {
    Asking asking = opaque("never-heard");
    Lease lease = asking.dispatched(rival);
    proxy.reset();
    lose(COMMIT, LOSE_ANSWER);
    loseEach(
        trip -> BEGIN.test(trip) && proxy.roundTrips().stream().anyMatch(COMMIT), LOSE_REQUEST, 4);

    assertThatThrownBy(() -> heard.end(lease, new AttemptEnd.Unclear("no_answer")))
        .isInstanceOf(LedgerAnswerLostException.class);

    operation(asking).isParkedFor("open_attempt");
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
