package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Seed: what only reads stays as it is; it asks the ledger for nothing. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PureReadsTest {
  private final EmbeddedLedger ledger;

  PureReadsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /** An activity of the worker's own that declares nothing. */
  @ActivityInterface
  public interface Reading {
    String lookUp(String key, String request);
  }

  private static final class Reader implements Reading {
    @Override
    public String lookUp(String key, String request) {
      return "read " + request;
    }
  }

  @Test
  void an_activity_that_declares_nothing_makes_no_round_trip() {
    Upstream upstream = new Upstream();
    try (CountingProxy proxy = CountingProxy.before(ledger);
        WorkerBed bed = new WorkerBed()) {
      bed.startApart(
          ledger.dataSource(proxy),
          new Reader(),
          EffectActivities.of(request -> upstream.dispatch("x")));
      proxy.reset();

      assertThat(bed.workflow(UntypedWorkflow.class).call("LookUp", "k", "x", 1))
          .isEqualTo("read x");
      assertThat(proxy.roundTrips()).isEmpty();

      bed.workflow(UntypedWorkflow.class).call("Effect", "k", "x", 1);
      assertThat(proxy.roundTrips()).isNotEmpty();
    }
  }
}
