package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.RoundTrip;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RoundTripTest {
  private final CountingProxy proxy;
  private final JooqLedger ledger;

  RoundTripTest(EmbeddedLedger embedded) {
    this.proxy = CountingProxy.before(embedded);
    this.ledger =
        JooqLedger.open(embedded.pool(embedded.dataSource(proxy), 1), LedgerOptions.standard());
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  private void assertRoundTrips(int count) {
    assertThat(proxy.roundTrips()).hasSize(count);
    // no BEGIN rides along: each statement is its own transaction
    assertThat(proxy.roundTrips())
        .extracting(RoundTrip::statements)
        .allMatch(statements -> statements.size() == 1);
  }

  private SettleOutcome.Committed released(Asking asking) {
    SettleOutcome.Committed committed = asking.committed(ledger);
    assertThat(ledger.release(committed.permit())).isInstanceOf(ReleaseOutcome.Released.class);
    return committed;
  }

  @Test
  void a_fresh_operation_takes_three() {
    proxy.reset();

    released(Asking.about("fresh"));

    assertRoundTrips(3);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void settling_takes_one_where_nothing_contends(boolean shared) {
    Asking asking =
        shared
            ? Asking.about("settled-shared", ResourceId.shared("settled"))
            : Asking.about("settled");
    Lease lease = asking.dispatched(ledger);
    proxy.reset();

    Asking.committed(ledger, lease);

    assertRoundTrips(1);
  }

  @Test
  void a_gate_takes_none_of_its_own() {
    Completion export = released(Asking.about("export")).receipt().completion();
    proxy.reset();

    released(Asking.about("share").behind(export));

    assertRoundTrips(3);
  }

  @Test
  void nor_does_a_binding() {
    ClaimRequest bound = Asking.about("bound").request().boundTo(new BindingName("mandate"));
    proxy.reset();

    Claim claim = ledger.claim(bound);
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    ledger.release(Asking.committed(ledger, ((Claim.Granted) claim).lease().dispatch()).permit());

    assertRoundTrips(3);
  }

  @Test
  void a_replay_takes_one() {
    Asking asking = Asking.about("replayed");
    released(asking);
    proxy.reset();

    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Replay.class);

    assertRoundTrips(1);
  }

  @Test
  void a_keepers_tick_takes_one_however_many_leases_it_names() {
    var leases =
        IntStream.range(0, 20).mapToObj(i -> Asking.about("kept-" + i).granted(ledger)).toList();
    proxy.reset();

    assertThat(ledger.renew(leases, Asking.LEASE)).hasSize(20);

    assertThat(proxy.roundTrips()).hasSize(1);
  }

  @Test
  void statements_that_the_server_has_prepared_take_no_more() {
    List<Asking> fresh = IntStream.range(0, 8).mapToObj(i -> Asking.about("again-" + i)).toList();
    fresh.subList(0, 7).forEach(this::released);
    proxy.reset();

    released(fresh.getLast());

    assertRoundTrips(3);
  }
}
