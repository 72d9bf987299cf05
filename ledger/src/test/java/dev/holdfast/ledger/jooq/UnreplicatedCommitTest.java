package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Finding.Finality;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A commit that no standby has is stored here, and may be missing after a failover. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnreplicatedCommitTest {
  private static final AttemptEnd UNCLEAR = new AttemptEnd.Unclear("no_answer");
  private static final AttemptEnd FAILED =
      new AttemptEnd.Failed(new SettledFailure("no_such", 404));
  private static final Finding HAPPENED =
      new Finding.Happened(ReconcileBed.found(new EffectId("upstream-7")), Asking.RESULT, null);
  private static final AtomicInteger KEYS = new AtomicInteger();

  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;
  private final ExecutorService canceller = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicBoolean stopped = new AtomicBoolean();
  private @Nullable Future<?> cancelling;

  UnreplicatedCommitTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.pool(2), LedgerOptions.standard());
  }

  /** A verb on an operation that stands ready for it. */
  record Verb(String name, Function<UnreplicatedCommitTest, ThrowingCallable> ready) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Verb> verbs() {
    return Stream.of(
        new Verb("claim", test -> () -> opaque().claim(test.ledger)),
        new Verb("claim that picks evidence up", UnreplicatedCommitTest::claimOfEvidence),
        new Verb("claim that parks", UnreplicatedCommitTest::claimThatParks),
        new Verb(
            "settle",
            test ->
                test.held(lease -> test.ledger.settle(lease, Asking.response(), Asking.RESULT))),
        new Verb(
            "settle in the ledger's transaction",
            test ->
                test.held(
                    lease ->
                        test.ledger.settleInTransaction(
                            lease, open -> new Effected(Asking.response(), Asking.RESULT)))),
        new Verb("end that parks", test -> test.held(lease -> test.ledger.end(lease, UNCLEAR))),
        new Verb("end", test -> test.held(lease -> test.ledger.end(lease, FAILED))),
        new Verb("end that is stored already", UnreplicatedCommitTest::endAgain),
        new Verb(
            "finding that lets dispatch",
            test -> test.asking(new Finding.DidNotHappen(Finality.FENCED))),
        new Verb("finding that settles", test -> test.asking(HAPPENED)),
        new Verb(
            "finding that parks", test -> test.asking(new Finding.OnlyAPersonCanTell("other_tag"))),
        new Verb("attend that picks evidence up", UnreplicatedCommitTest::attendEvidence),
        new Verb("attend that parks", UnreplicatedCommitTest::attendThatParks),
        new Verb("resolve", test -> test.act(new Decision.DidNotHappen(true), false)),
        new Verb("resolve that is done already", UnreplicatedCommitTest::actAgain),
        new Verb("reopen", UnreplicatedCommitTest::reopen));
  }

  private static Asking opaque() {
    return Asking.about("unreplicated-" + KEYS.incrementAndGet())
        .under(new OpenAttemptRule.ParkWhileOpen());
  }

  private interface Use {
    void of(Lease lease) throws Exception;
  }

  private ThrowingCallable held(Use use) {
    Lease lease = opaque().dispatched(ledger);
    return () -> use.of(lease);
  }

  /** Its holder is silent, its lease over. */
  private Asking silent(Asking asking) {
    asking.dispatched(ledger);
    runOut(asking);
    return asking;
  }

  private void runOut(Asking asking) {
    embedded
        .sql()
        .update(OPERATION)
        .set(OPERATION.EXPIRES_AT, SettlementBed.SQL.clock().now())
        .where(OPERATION.OPERATION_ID.eq(asking.reservation().operation().text()))
        .execute();
  }

  /** A success is stored that nobody picked up. */
  private Asking witnessed() {
    Asking asking = opaque().under(new OpenAttemptRule.RolledBack());
    Lease lease = asking.dispatched(ledger);
    runOut(asking);
    ledger.settle(lease, Asking.response(), Asking.RESULT);
    return asking;
  }

  private ThrowingCallable claimOfEvidence() {
    Asking asking = witnessed();
    return () -> asking.claim(ledger);
  }

  private ThrowingCallable claimThatParks() {
    Asking asking = silent(opaque());
    return () -> asking.claim(ledger);
  }

  private ThrowingCallable attendEvidence() {
    Asking asking = witnessed();
    return () -> asking.attended(ledger);
  }

  private ThrowingCallable attendThatParks() {
    Asking asking = silent(opaque());
    return () -> asking.attended(ledger);
  }

  private ThrowingCallable endAgain() {
    Lease lease = opaque().dispatched(ledger);
    ledger.end(lease, UNCLEAR);
    return () -> ledger.end(lease, UNCLEAR);
  }

  private ThrowingCallable asking(Finding finding) {
    Asking asking = silent(opaque().under(new OpenAttemptRule.AskFirst()));
    if (asking.claim(ledger) instanceof Claim.Reconcile(var lease, var open)) {
      return () -> ledger.reconcile(lease, finding);
    }
    throw new AssertionError("nothing to ask about");
  }

  private ThrowingCallable act(Decision decision, boolean before) {
    Asking asking = opaque();
    ledger.end(asking.dispatched(ledger), UNCLEAR);
    ActTerms terms = ActBed.terms(asking.reservation());
    if (before) {
      ledger.acts().resolve(terms, decision);
    }
    return () -> ledger.acts().resolve(terms, decision);
  }

  private ThrowingCallable actAgain() {
    return act(new Decision.DidNotHappen(true), true);
  }

  private ThrowingCallable reopen() {
    Asking asking = opaque();
    asking.committed(ledger);
    return () -> ledger.acts().reopen(ActBed.terms(asking.reservation()), true);
  }

  /** Nor is it answered by those who look for it afterwards: their commits wait as well. */
  @ParameterizedTest
  @MethodSource("verbs")
  void nothing_is_answered_that_no_standby_has(Verb verb) {
    ThrowingCallable asked = verb.ready().apply(this);
    waitForAStandbyThatIsAbsentAndGiveUp();

    assertThatThrownBy(asked).isInstanceOf(LedgerAnswerLostException.class);
  }

  private void waitForAStandbyThatIsAbsentAndGiveUp() {
    embedded.sql().execute("alter system set synchronous_standby_names = 'absent'");
    embedded.sql().fetch("select pg_reload_conf()");
    cancelling = canceller.submit(this::cancelWhoWaits);
    await().until(this::commitsAreWarnedOf);
  }

  @AfterEach
  void waitForNoStandby() throws Exception {
    embedded.sql().execute("alter system reset synchronous_standby_names");
    embedded.sql().fetch("select pg_reload_conf()");
    await().until(() -> !commitsAreWarnedOf());
    stopped.set(true);
    if (cancelling != null) {
      cancelling.get();
    }
    canceller.shutdown();
  }

  private void cancelWhoWaits() {
    await()
        .forever()
        .pollInterval(Duration.ofMillis(50))
        .until(
            () -> {
              embedded
                  .sql()
                  .fetch(
                      "select pg_cancel_backend(pid) from pg_stat_activity"
                          + " where wait_event = 'SyncRep'");
              return stopped.get();
            });
  }

  private boolean commitsAreWarnedOf() throws SQLException {
    try (Connection connection = embedded.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute("select pg_logical_emit_message(true, 'probe', 'x')");
      return statement.getWarnings() != null;
    }
  }
}
