package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.OwnServer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The primary dies, and a standby is promoted that had not received its last receipts. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FailoverTest {
  private static final int RECEIPTS = 100;

  private final OwnServer primary = OwnServer.started(Map.of());
  private final OwnServer standby = primary.standby();
  private final List<String> heard = new CopyOnWriteArrayList<>();

  @AfterEach
  void stop() {
    standby.close();
    primary.close();
  }

  private LedgerOptions heard() {
    return LedgerOptions.standard()
        .heardBy(
            new LedgerListener() {
              @Override
              public void movedServer(LedgerPosition from, LedgerPosition to) {
                assertThat(to.systemId()).isEqualTo(from.systemId());
                heard.add(from.timeline() + " to " + to.timeline());
              }
            });
  }

  /** Half of their upstreams can be asked, half cannot. */
  private static List<Asking> askings() {
    return IntStream.range(0, RECEIPTS)
        .mapToObj(
            i ->
                Asking.about("receipt-" + i)
                    .under(
                        i % 2 == 0
                            ? new OpenAttemptRule.AskFirst()
                            : new OpenAttemptRule.ParkWhileOpen()))
        .toList();
  }

  private void awaitArrivalOfEverything() {
    String written =
        String.valueOf(primary.ledger().sql().fetchValue("select pg_current_wal_lsn()::text"));
    await()
        .until(
            () ->
                Boolean.TRUE.equals(
                    standby
                        .ledger()
                        .sql()
                        .fetchValue("select pg_last_wal_replay_lsn() >= ?::pg_lsn", written)));
  }

  private void cutOff() {
    standby.cutOff();
    await()
        .until(() -> standby.ledger().sql().fetch("select 1 from pg_stat_wal_receiver").isEmpty());
  }

  private static long receipts(EmbeddedLedger ledger) {
    return ledger.sql().fetchCount(RECEIPT);
  }

  @Test // case I13
  void lost_receipts_raise_an_alarm_and_their_effects_are_asked_about_and_not_run_again() {
    PGSimpleDataSource source = primary.ledger().dataSource();
    JooqLedger open = JooqLedger.open(source, heard());
    List<Asking> askings = askings();
    List<Lease> leases = askings.stream().map(asking -> asking.dispatched(open)).toList();
    awaitArrivalOfEverything();
    cutOff();
    leases.forEach(lease -> Asking.committed(open, lease));
    assertThat(receipts(primary.ledger())).isEqualTo(RECEIPTS);

    primary.killHard();
    standby.promote();
    source.setPortNumbers(new int[] {standby.ledger().port()});

    assertThat(receipts(standby.ledger())).isZero();
    assertThat(heard).isEmpty();
    JooqLedger another = JooqLedger.open(source, heard());
    assertThat(heard).as("at the start").containsExactly("1 to 2");
    LedgerClock.of(standby.ledger()).shift(Asking.LEASE);
    List<Claim> claims = askings.stream().map(asking -> asking.claim(another)).toList();
    assertThat(claims).filteredOn(Claim.Reconcile.class::isInstance).hasSize(RECEIPTS / 2);
    assertThat(claims).filteredOn(Claim.Parked.class::isInstance).hasSize(RECEIPTS / 2);

    Asking.about("afterwards").committed(open);
    Asking.about("and again").committed(open);
    assertThat(heard).as("while it runs, once").containsExactly("1 to 2", "1 to 2");

    JooqLedger.migrate(source);
    JooqLedger.open(source, heard());
    assertThat(heard).as("who migrates knows of it").hasSize(2);
  }
}
