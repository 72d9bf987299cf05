package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.internal.EffectsBed.Calls;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.workflows.internal.OperationHeader;
import io.temporal.api.history.v1.HistoryEvent;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.http.HttpRequest;
import java.util.HexFormat;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A marker goes into key, request, header, answer and result; it must come out nowhere else: not in
 * failures, the log, the columns that no codec encrypts, or what a history shows in clear.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SecrecyTest {
  private static final String MARKER = "S3CR3T-7f";
  private static final String MARKER_IN_HEX = HexFormat.of().formatHex(MARKER.getBytes(UTF_8));

  /** The key stands in the operation's and its resource's id, the result in its own column. */
  private static final String ALL_ROWS =
      """
      select string_agg(
        (r - 'operation_id' - 'resource_id' - 'result' - 'result_payload')::text, ' ')
      from (
        select to_jsonb(t) as r from operation t
        union all select to_jsonb(t) from attempt t
        union all select to_jsonb(t) from observation t
        union all select to_jsonb(t) from receipt t) as every\
      """;

  private final EmbeddedLedger ledger;
  private final EffectsBed bed;
  private final PrintStream stderr = System.err;
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();

  SecrecyTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new EffectsBed(ledger);
  }

  @BeforeEach
  void catchTheLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void close() {
    bed.close();
    System.setErr(stderr);
  }

  // case E7
  @ParameterizedTest
  @ValueSource(ints = {200, 302, 404, 429, 503})
  void no_answer_of_an_upstream_shows(int status) throws Exception {
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            status, MARKER.getBytes(UTF_8), "Set-Cookie", MARKER, "X-Error", MARKER)) {
      bed.start(
          effect -> {
            HttpRequest request =
                HttpRequest.newBuilder(upstream.post(), (n, v) -> true)
                    .header("Authorization", MARKER)
                    .build();
            return new String(effect.send(HttpUpstream.client(), request).body(), UTF_8);
          });

      assertSecret("Send", MARKER + " " + status);
    }
  }

  // case E7
  @ParameterizedTest
  @ValueSource(strings = {"lying digest", "malformed digest", "no key", "header set"})
  void no_misuse_and_no_lie_shows(String what) throws Exception {
    String digest =
        what.startsWith("lying") ? "sha-256=:" + "AAAA".repeat(11) + ":" : MARKER + " x";
    try (HttpUpstream upstream =
        HttpUpstream.answering(200, MARKER.getBytes(UTF_8), "Content-Digest", digest)) {
      bed.start(
          effect ->
              switch (what) {
                case "no key" ->
                    effect.dispatch(key -> MARKER, Evidence.of(a -> 200, a -> a.getBytes(UTF_8)));
                case "header set" -> {
                  HttpRequest request =
                      HttpRequest.newBuilder(upstream.post(), (n, v) -> true)
                          .header("Idempotency-Key", MARKER)
                          .build();
                  yield effect.send(HttpUpstream.client(), request).toString();
                }
                default -> effect.send(HttpUpstream.client(), upstream.post()).toString();
              });

      assertSecret("Send", MARKER + " " + what);
    }
  }

  // case E7
  @ParameterizedTest
  @ValueSource(strings = {"too big", "twice", "wrong contract"})
  void no_transaction_shows(String what) {
    bed.start(
        effect ->
            switch (what) {
              case "too big" -> effect.inLedgerTransaction(c -> MARKER.repeat(400_000));
              case "twice" ->
                  effect.<String, RuntimeException>inLedgerTransaction(c -> MARKER)
                      + effect.<String, RuntimeException>inLedgerTransaction(c -> MARKER);
              default -> effect.dispatch(k -> MARKER, Evidence.of(a -> 200, a -> new byte[0]));
            });

    assertSecret("Book", MARKER + " " + what);
  }

  // case E7
  @Test
  void no_refusal_of_the_ledgers_shows() throws Exception {
    try (HttpUpstream upstream = HttpUpstream.answering(404, MARKER.getBytes(UTF_8))) {
      bed.start(effect -> effect.send(HttpUpstream.client(), upstream.post()).toString());

      String key = MARKER + " refused";
      assertThat(assertSecret("Send", key, MARKER)).contains("UpstreamRejected");
      assertThat(assertSecret("Send", key, MARKER)).contains("UpstreamRejected");
      assertThat(assertSecret("Send", key, MARKER + " changed")).contains("FingerprintMismatch");
    }
  }

  // case E7
  @Test
  void no_result_without_a_proof_shows() {
    bed.start(effect -> MARKER);

    assertSecret("Send", MARKER + " unproved");
  }

  // case E7
  @Test
  void nothing_that_a_reconciler_throws_shows() {
    Throwable thrown =
        new IllegalStateException("at " + MARKER, new IllegalArgumentException(MARKER));
    thrown.addSuppressed(new IllegalArgumentException(MARKER));

    Transitions.questionFailed(OpenEffect.of("export").scope().holder(), thrown);

    assertThat(log.toString(UTF_8))
        .contains("outcome=threw", IllegalStateException.class.getName())
        .doesNotContain(MARKER);
  }

  // case E7
  @Test
  void nothing_that_a_callback_throws_shows() {
    Transitions.asideFailed(new IllegalStateException("at " + MARKER));

    assertThat(log.toString(UTF_8))
        .contains(IllegalStateException.class.getName())
        .doesNotContain(MARKER);
  }

  private void assertSecret(String activity, String key) {
    var unused = assertSecret(activity, key, MARKER);
  }

  /** All the failures, the outermost first. */
  private String assertSecret(String activity, String key, String request) {
    String workflow = UUID.randomUUID().toString();
    Throwable thrown =
        catchThrowable(
            () -> bed.workers().workflow(workflow, Calls.class).call(activity, key, request, 1));

    StringBuilder failures = new StringBuilder();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      failures.append(t).append('\n');
      assertThat(String.valueOf(t.getMessage())).doesNotContain(MARKER);
      assertThat(String.valueOf(t)).doesNotContain("hf1-");
    }
    assertThat(log.toString(UTF_8)).doesNotContain(MARKER).doesNotContain("hf1-");
    assertThat(bed.workers().history(workflow).getEvents())
        .as("what no codec of a user's hides: failures and headers")
        .extracting(SecrecyTest::inClear)
        .noneMatch(text -> text.contains(MARKER) || text.contains("hf1-"))
        .anyMatch(text -> text.contains(OperationHeader.NAME));
    assertThat(ledger.sql().fetchSingle(ALL_ROWS).get(0, String.class))
        .isNotEmpty()
        .doesNotContain(MARKER)
        .doesNotContain(MARKER_IN_HEX);
    return failures.toString();
  }

  private static String inClear(HistoryEvent event) {
    return switch (event.getAttributesCase()) {
      case ACTIVITY_TASK_SCHEDULED_EVENT_ATTRIBUTES ->
          event.getActivityTaskScheduledEventAttributes().getHeader().toString();
      case ACTIVITY_TASK_FAILED_EVENT_ATTRIBUTES ->
          event.getActivityTaskFailedEventAttributes().toString();
      case WORKFLOW_EXECUTION_FAILED_EVENT_ATTRIBUTES ->
          event.getWorkflowExecutionFailedEventAttributes().toString();
      default -> "";
    };
  }
}
