package dev.holdfast.ledger.jooq;

import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.RoundTrip;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;

/** A ledger behind a proxy that drops exactly the answers, or requests, that a test names. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class LossBed {
  static final Disturbance LOSE_ANSWER = new Disturbance.CutBeforeAnswer();
  static final Disturbance LOSE_REQUEST = new Disturbance.CutBeforeServer();
  static final Predicate<RoundTrip> CLAIM = trip -> trip.mentions("\"claimed\" as");
  static final Predicate<RoundTrip> SETTLE =
      trip -> trip.mentions("insert into \"holdfast\".\"receipt\"");
  static final Predicate<RoundTrip> ABANDON = trip -> trip.mentions("\"abandoned\" as");
  static final Predicate<RoundTrip> RELEASE = trip -> trip.mentions("\"given_up\" as");
  static final Predicate<RoundTrip> COMMIT =
      trip -> trip.statements().stream().anyMatch("commit"::equalsIgnoreCase);

  /** The first request of every transaction, a read-back's among them. */
  static final Predicate<RoundTrip> BEGIN = trip -> trip.mentions("transaction_isolation");

  /** Whatever the ledger sends; opening a connection is the driver's and its user's. */
  static final Predicate<RoundTrip> ANY =
      trip -> trip.mentions("\"holdfast\"") || BEGIN.test(trip) || COMMIT.test(trip);

  final EmbeddedLedger embedded;
  final CountingProxy proxy;
  final LedgerClock clock;

  /** On the network that loses things. */
  final JooqLedger ledger;

  /** On another one. */
  final JooqLedger rival;

  LossBed(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.proxy = CountingProxy.before(embedded);
    this.clock = LedgerClock.of(embedded);
    this.ledger = JooqLedger.open(embedded.dataSource(proxy), LedgerOptions.standard());
    this.rival = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  @AfterEach
  void endTheDisturbance() {
    proxy.close();
    clock.close();
  }

  /** One that notices soon that no answer comes. */
  JooqLedger impatient() {
    return JooqLedger.open(
        embedded.dataSource(proxy),
        LedgerOptions.standard().answeringWithin(Duration.ofMillis(500)));
  }

  void lose(Predicate<RoundTrip> which, Disturbance how) {
    proxy.disturbNext(which, how);
  }

  /** Loses so many in a row. */
  void loseEach(Predicate<RoundTrip> which, Disturbance how, int times) {
    for (int i = 0; i < times; i++) {
      lose(which, how);
    }
  }

  /** Holds the n-th of these requests that no earlier order is about, until the latch is down. */
  CountDownLatch hold(int n, Predicate<RoundTrip> which) {
    CountDownLatch until = new CountDownLatch(1);
    AtomicInteger seen = new AtomicInteger();
    proxy.disturbNext(
        trip -> which.test(trip) && seen.incrementAndGet() == n,
        new Disturbance.HoldRequest(until));
    return until;
  }

  /** Returns when all that was ordered has happened. */
  void awaitDisturbance() {
    await().until(proxy::isSpent);
  }

  /** Returns when no session is left but those of the test's own statements. */
  void awaitNoSession() {
    await()
        .until(
            () ->
                embedded
                    .sql()
                    .fetchSingle(
                        "select count(*) = 0 from pg_stat_activity where application_name <>"
                            + " 'fixture' and datname = current_database()")
                    .get(0, Boolean.class));
  }

  StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  LedgerAssert operation(Asking asking) {
    return LedgerAssert.assertThat(stored(asking));
  }

  static UndispatchedLease granted(Claim claim) {
    if (claim instanceof Claim.Granted(UndispatchedLease lease)) {
      return lease;
    }
    throw new AssertionError("not granted: " + claim);
  }

  static SettleOutcome.Committed committed(SettleOutcome outcome) {
    if (outcome instanceof SettleOutcome.Committed committed) {
      return committed;
    }
    throw new AssertionError("not committed: " + outcome);
  }
}
