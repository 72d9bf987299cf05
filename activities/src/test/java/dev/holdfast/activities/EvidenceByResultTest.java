package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The returned value is the proof; then the whole method is the effect. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EvidenceByResultTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final List<String> sent = new CopyOnWriteArrayList<>();

  EvidenceByResultTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  /** Without any dispatch of its own. */
  @ActivityInterface
  public interface Proven {
    @Fenced(
        upstream = HONOURS_KEY,
        keyHorizon = "PT24H",
        operation = "Effect",
        evidence = EvidenceRule.RESULT)
    String proven(@OperationKey String key, String request);
  }

  @BeforeEach
  void start() {
    Proven activity =
        (key, request) -> {
          sent.add(FencedEffect.current().upstreamKey().value());
          if (request.equals("fail")) {
            throw ApplicationFailure.newNonRetryableFailure("after", "AuthorsOwn");
          }
          return "proof";
        };
    bed.startApart(ledger.dataSource(), new Implementation(activity));
  }

  private record Implementation(Proven body) implements Proven {
    @Override
    public String proven(String key, String request) {
      return body.proven(key, request);
    }
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private String call(String key, String request) {
    return String.valueOf(bed.workflow(UntypedWorkflow.class).call("Proven", key, request, 1));
  }

  @Test
  void the_receipt_keeps_the_digest_of_what_was_returned() {
    assertThat(call("proof", "x")).isEqualTo("proof");
    assertThat(call("proof", "x")).isEqualTo("proof");

    assertThat(rows.state("proof")).isEqualTo("completed, 0 open");
    assertThat(rows.responseDigest("proof")).isEqualTo(Sha256.ofUtf8("\"proof\""));
    assertThat(sent).hasSize(1);
  }

  @Test
  void an_exception_anywhere_in_the_method_leaves_the_outcome_unknown() {
    ApplicationFailure failure = Failures.of(() -> call("no proof", "fail"));

    assertThat(failure.getType()).isEqualTo("AuthorsOwn");
    assertThat(rows.state("no proof")).isEqualTo("unknown, 1 open");
  }
}
