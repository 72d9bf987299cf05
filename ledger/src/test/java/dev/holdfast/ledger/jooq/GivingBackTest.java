package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.sql.Connection;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Leases without a dispatch, on a network that loses every request of one call to give them back.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GivingBackTest {
  private final EmbeddedLedger embedded;
  private final CountingProxy proxy;
  private final JooqLedger ledger;

  GivingBackTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.proxy = CountingProxy.before(embedded);
    this.ledger = JooqLedger.open(embedded.dataSource(proxy), LedgerOptions.standard());
    for (int tried = 0; tried < LedgerOptions.standard().retries(); tried++) {
      proxy.disturbNext(trip -> trip.mentions("not_dispatched"), new Disturbance.CutBeforeServer());
    }
  }

  @AfterEach
  void closeTheProxy() {
    proxy.close();
  }

  @Test
  void it_is_asked_for_again_and_nothing_is_dispatched_meanwhile() {
    UndispatchedLease lease = Asking.about("given-back-again").granted(ledger);
    assertThatThrownBy(() -> ledger.abandon(lease)).isInstanceOf(LedgerAnswerLostException.class);

    assertThatThrownBy(lease::dispatch).isInstanceOf(IllegalStateException.class);
    assertThat(ledger.abandon(lease)).isEqualTo(AbandonOutcome.ABANDONED);

    assertThatThrownBy(() -> ledger.abandon(lease)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(lease::dispatch).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void a_gate_that_closed_under_a_claim_is_told_as_such() throws Exception {
    Completion required =
        Asking.committed(ledger, Asking.about("required").dispatched(ledger))
            .receipt()
            .completion();
    try (Connection rival = embedded.superuser();
        Statement statement = rival.createStatement()) {
      rival.setAutoCommit(false);
      statement.execute(
          "update operation set state = 'conflict', revision = revision + 1,"
              + " attention_at = ledger_clock() where operation_id = 'export:required'");
      CompletableFuture<Claim> claim =
          CompletableFuture.supplyAsync(() -> Asking.about("gated").behind(required).claim(ledger));
      await().until(this::somebodyWaits);
      rival.commit();

      assertThat(claim.get())
          .isEqualTo(new Claim.GateClosed(required.operation(), Claim.GateReason.CONFLICT));
    }
    assertThat(proxy.isSpent()).isTrue();
  }

  private boolean somebodyWaits() {
    return embedded
        .sql()
        .fetchSingle(
            "select count(*) > 0 from pg_stat_activity where wait_event_type = 'Lock'"
                + " and datname = current_database()")
        .get(0, Boolean.class);
  }
}
