package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Reconciled;
import dev.holdfast.activities.bed.AskableShares;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The upstream does it, and its answer is cut off on the wire. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CutAnswerTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final AtomicInteger applied = new AtomicInteger();

  CutAnswerTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  // case C15
  @Test
  void an_upstream_that_can_be_asked_is_asked_and_nothing_is_sent_twice() throws IOException {
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange -> {
              applied.incrementAndGet();
              throw new IOException("cut");
            })) {
      AskableShares shares =
          AskableShares.of(
              (self, request) ->
                  new String(
                      FencedEffect.current().send(HttpUpstream.client(), upstream.post()).body(),
                      UTF_8),
              inquiry -> {
                assertThat(upstream.seen().getFirst().getFirst("Idempotency-Key"))
                    .isEqualTo(inquiry.upstreamKey().value());
                assertThat(upstream.seen().getFirst().getFirst("Fencing-Token"))
                    .isEqualTo(inquiry.earlier().getFirst().token().toString());
                return Reconciled.happened("applied", 200, "applied".getBytes(UTF_8));
              });
      bed.startApart(ledger.dataSource(), shares);

      assertThat(bed.workflow(UntypedWorkflow.class).call("Share", "cut", "x", 3))
          .isEqualTo("applied");
      assertThat(shares.asked()).hasSize(1);
    }
    assertThat(applied).hasValue(1);
    assertThat(rows.state("cut")).isEqualTo("completed, 0 open");
  }
}
