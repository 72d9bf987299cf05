package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static dev.holdfast.UpstreamContract.OPAQUE;
import static dev.holdfast.UpstreamContract.VERIFIABLE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
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
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The returned value is the proof; then the whole method is the effect. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EvidenceByResultTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final AtomicInteger asked = new AtomicInteger();

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

  /** The same where the upstream can be asked. */
  @ActivityInterface
  public interface ProvenShares {
    @Fenced(
        upstream = VERIFIABLE,
        inFlight = "PT2S",
        operation = "Effect",
        evidence = EvidenceRule.RESULT)
    String provenShare(@OperationKey String key, String request);
  }

  /** The same where nobody can. */
  @ActivityInterface
  public interface ProvenNotices {
    @Fenced(
        upstream = OPAQUE,
        inFlight = "PT2S",
        operation = "Effect",
        evidence = EvidenceRule.RESULT)
    String provenPost(@OperationKey String key, String request);
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
    bed.startApart(
        ledger.dataSource(),
        new Implementation(activity),
        new Askable(this::sendThen, asked),
        new Notices(this::sendThen));
  }

  /** Without a key; what comes after it the request says. */
  private String sendThen(String key, String request) {
    sent.add(key);
    return switch (request) {
      case "fail" -> throw ApplicationFailure.newNonRetryableFailure("after", "AuthorsOwn");
      case "say no" -> throw new UpstreamRejectedException("no", 422);
      case "say no after a lost answer" -> {
        loseAnswer();
        throw new UpstreamRejectedException("no", 422);
      }
      case "return after a lost answer" -> {
        loseAnswer();
        yield "no proof of that";
      }
      default -> "proof";
    };
  }

  private static void loseAnswer() {
    try {
      var unused =
          FencedEffect.current()
              .dispatch(
                  key -> {
                    throw new IOException("broken pipe");
                  },
                  Evidence.of(answer -> 200, answer -> new byte[0]));
    } catch (IOException lost) {
      assertThat(lost).hasMessage("broken pipe");
    }
  }

  private record Implementation(Proven body) implements Proven {
    @Override
    public String proven(String key, String request) {
      return body.proven(key, request);
    }
  }

  private record Askable(Proven body, AtomicInteger asked)
      implements ProvenShares, Reconciles<String> {
    @Override
    public String provenShare(String key, String request) {
      return body.proven(key, request);
    }

    @Override
    public Reconciled<String> reconcile(Inquiry inquiry) {
      asked.incrementAndGet();
      return Reconciled.happened("found", 200, new byte[0]);
    }
  }

  private record Notices(Proven body) implements ProvenNotices {
    @Override
    public String provenPost(String key, String request) {
      return body.proven(key, request);
    }
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private String call(String key, String request) {
    return call("Proven", key, request);
  }

  private String call(String type, String key, String request) {
    return String.valueOf(bed.workflow(UntypedWorkflow.class).call(type, key, request, 1));
  }

  @Test
  void where_it_can_be_asked_about_the_result_is_the_proof_too() {
    assertThat(call("ProvenShare", "shared", "x")).isEqualTo("proof");

    assertThat(rows.state("shared")).isEqualTo("completed, 0 open");
    assertThat(rows.responseDigest("shared")).isEqualTo(Sha256.ofUtf8("\"proof\""));
    assertThat(asked).hasValue(0);
  }

  @Test
  void where_it_can_be_asked_about_an_exception_is_asked_about_and_the_method_not_run_again() {
    Failures.of(() -> call("ProvenShare", "lost share", "fail"));
    assertThat(rows.state("lost share")).isEqualTo("unknown, 1 open");

    assertThat(call("ProvenShare", "lost share", "fail")).isEqualTo("found");

    assertThat(sent).containsExactly("lost share");
    assertThat(asked).hasValue(1);
  }

  @Test
  void where_nobody_can_be_asked_the_result_is_the_proof_too() {
    assertThat(call("ProvenPost", "posted", "x")).isEqualTo("proof");

    assertThat(rows.state("posted")).isEqualTo("completed, 0 open");
  }

  @Test
  void where_nobody_can_be_asked_an_exception_waits_for_a_person() {
    Failures.of(() -> call("ProvenPost", "lost post", "fail"));

    assertThat(Failures.of(() -> call("ProvenPost", "lost post", "fail")).getType())
        .isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(sent).containsExactly("lost post");
    assertThat(rows.state("lost post")).isEqualTo("unknown, 1 open");
  }

  @Test
  void a_no_that_the_author_throws_is_that_of_the_whole_method() {
    Failures.of(() -> call("ProvenPost", "no", "say no"));

    assertThat(rows.state("no")).isEqualTo("failed, 0 open");
  }

  @ParameterizedTest
  @ValueSource(strings = {"say no after a lost answer", "return after a lost answer"})
  void beside_a_dispatch_without_an_answer_nothing_closes_its_attempt(String request) {
    Failures.of(() -> call("ProvenPost", request, request));

    assertThat(rows.state(request)).isEqualTo("unknown, 1 open");
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
