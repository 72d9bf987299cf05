package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LostDatabaseTest {
  private static final String MARKER = "S3CR3T-7f";

  private final EmbeddedLedger embedded;
  private final CountingProxy proxy;
  private final JooqLedger ledger;

  LostDatabaseTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.proxy = CountingProxy.before(embedded);
    this.ledger =
        JooqLedger.open(
            embedded.dataSource(proxy),
            LedgerOptions.standard().answeringWithin(Duration.ofSeconds(1)));
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  private StoredOperation stored(Asking asking) {
    return StoredOperation.of(embedded, asking.reservation());
  }

  private void cutEveryTry() {
    for (int i = 0; i < 2 * LedgerOptions.standard().retries(); i++) {
      proxy.disturbNext(trip -> trip.mentions("lock_timeout"), new Disturbance.CutBeforeAnswer());
    }
  }

  @Test
  void a_server_that_is_down_leaves_nothing_behind_in_any_verb() {
    Asking asking = Asking.about("down");
    Lease lease = Asking.about("down-later").dispatched(ledger);
    SettleOutcome.Committed committed = Asking.about("down-last").committed(ledger);
    proxy.close();
    await().until(this::refusesConnections);

    assertUnavailable(() -> asking.claim(ledger));
    assertUnavailable(() -> ledger.settle(lease, Asking.response(), Asking.RESULT));
    assertUnavailable(() -> ledger.release(committed.permit()));
    LedgerAssert.assertThat(stored(asking)).isAbsent();
    LedgerAssert.assertThat(stored(Asking.about("down-later")))
        .isInState(OperationState.IN_PROGRESS)
        .hasReceipts(0);
    LedgerAssert.assertThat(stored(Asking.about("down-last"))).isNotReleased().hasReceipts(1);
  }

  private boolean refusesConnections() {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port())) {
      return !socket.isConnected();
    } catch (IOException e) {
      return true;
    }
  }

  private static void assertUnavailable(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(LedgerUnavailableException.class);
  }

  @Test
  void a_lock_that_is_not_given_in_time_leaves_nothing_behind() throws Exception {
    Asking asking = Asking.about("locked");
    Lease lease = asking.dispatched(ledger);
    StoredOperation before = stored(asking);
    try (RowLock lock = RowLock.on(embedded, asking.reservation())) {
      assertUnavailable(() -> ledger.settle(lease, Asking.response(), Asking.RESULT));
      lock.commit();
    }
    assertThat(stored(asking).get(OPERATION.REVISION)).isEqualTo(before.get(OPERATION.REVISION));
    Asking.committed(ledger, lease);
  }

  @Test // case E7
  void no_error_shows_a_key_or_a_value() {
    Asking asking = Asking.about(MARKER).withFingerprintOf(MARKER);
    cutEveryTry();

    assertThatThrownBy(() -> asking.claim(ledger))
        .isInstanceOf(LedgerAnswerLostException.class)
        .satisfies(error -> assertThat(everythingIn(error)).doesNotContain(MARKER));
    proxy.reset();
    embedded
        .sql()
        .execute(
            "alter table operation add constraint no_marker check (worker <> 'worker-2') not"
                + " valid");
    try {
      assertThatThrownBy(() -> Asking.about(MARKER + "-refused").claim(ledger))
          .hasMessageContaining("23514")
          .satisfies(error -> assertThat(everythingIn(error)).doesNotContain(MARKER));
    } finally {
      embedded.sql().execute("alter table operation drop constraint no_marker");
    }
  }

  private static String everythingIn(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test // case I1
  void a_shared_claim_that_breaks_half_way_takes_neither_row() {
    Asking asking = Asking.about("half-way", ResourceId.shared("half-way"));
    proxy.disturbNext(trip -> trip.mentions("\"claimed\" as"), new Disturbance.CutBeforeServer());

    assertUnavailable(() -> asking.claim(ledger));

    LedgerAssert.assertThat(stored(asking)).isAbsent();
    asking.granted(ledger);
  }
}
