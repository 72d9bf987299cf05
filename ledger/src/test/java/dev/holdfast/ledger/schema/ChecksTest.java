package dev.holdfast.ledger.schema;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.schema.SideChannel.Refusal;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a state says of its columns, each sentence by its name. Guards are off: checks alone judge.
 */
@ExtendWith(LedgerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ChecksTest {
  private static final String UNGUARDED = "set local session_replication_role = replica";

  private final EmbeddedLedger ledger;
  private final SideChannel sideChannel;

  ChecksTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.sideChannel = new SideChannel(ledger);
  }

  @BeforeAll
  void one_row_stands_in_every_state() {
    Rows rows = Rows.of(ledger);
    rows.inProgress(reservation("open")).insert();
    rows.unknown(reservation("unknown")).insert();
    rows.completed(reservation("done")).insert();
    rows.completed(reservation("held"))
        .with(OPERATION.RELEASED, false)
        .with(OPERATION.RESULT_SHA256, Rows.RESPONSE.bytes())
        .insert();
    rows.failed(reservation("failed")).insert();
    rows.conflict(reservation("conflict")).insert();
    rows.observation(reservation("open"), "timed_out", "recorded").insert();
    rows.resource(reservation("open", ResourceId.shared("printer"))).insert();
    ledger
        .sql()
        .execute(
            Violation.recordedRotation("b", 1)
                + "; insert into binding values ('tenant', 'b', 1, ledger_clock())");
    ledger.sql().execute(Violation.recordedChange("unknown", 1));
    ledger.sql().execute(Violation.recordedAct("unknown", "resolve"));
  }

  record Sentence(String constraint, String violation) {}

  private static Sentence operation(String rule, String change, String key) {
    return new Sentence(
        "operation_" + rule,
        "update operation set " + change + " where operation_id = 'export:" + key + "'");
  }

  private static Sentence observation(String rule, String change) {
    return new Sentence("observation_" + rule, "update observation set " + change);
  }

  private static Sentence receipt(String rule, String change) {
    return new Sentence("receipt_" + rule, "update receipt set " + change);
  }

  static Stream<Sentence> sentences() {
    return Stream.of(operations(), observations(), receipts(), others())
        .flatMap(List::stream)
        .flatMap(ChecksTest::beforeTheRelease);
  }

  /** What is asked of a completed row is asked of one whose lease is not given up yet, too. */
  private static Stream<Sentence> beforeTheRelease(Sentence sentence) {
    String held = sentence.violation().replace("'export:done'", "'export:held'");
    return Stream.of(sentence, new Sentence(sentence.constraint(), held)).distinct();
  }

  private static List<Sentence> operations() {
    return List.of(
        operation("state_known", "state = 'done'", "unknown"),
        operation("digests_are_sha256", "fingerprint_sha256 = 'short'", "open"),
        operation("digests_are_sha256", "response_sha256 = 'short'", "done"),
        operation("digests_are_sha256", "result_sha256 = 'short'", "done"),
        operation("counters_not_negative", "open_attempts = -1", "unknown"),
        operation("counters_not_negative", "open_attempts = -1", "open"),
        operation("counters_not_negative", "open_attempts = -1", "done"),
        operation("counters_not_negative", "epoch = -1", "open"),
        operation("counters_not_negative", "generation = -1", "open"),
        operation("counters_not_negative", "pending_evidence = -1", "open"),
        operation(
            "counters_not_negative", "pending_evidence = -1, attention_at = now()", "unknown"),
        operation("counters_not_negative", "epoch = -1", "unknown"),
        operation("counters_not_negative", "generation = -1", "unknown"),
        operation("token_and_revision_positive", "fencing_token = 0", "open"),
        operation("token_and_revision_positive", "revision = 0", "open"),
        operation("parked_is_unknown", "parked_reason = 'r', attention_at = now()", "open"),
        operation(
            "parked_has_open_attempt", "parked_reason = 'r', attention_at = now()", "unknown"),
        operation("in_progress_is_not_released", "released = true", "open"),
        operation("completed_has_receipt", "receipt_number = null", "done"),
        operation("completed_has_receipt", "receipt_timeline = null", "done"),
        operation("completed_has_receipt", "response_sha256 = null", "done"),
        operation("completed_has_receipt", "effect_id = null", "done"),
        operation("completed_has_receipt", "result_kind = null, result = null", "done"),
        operation("completed_has_receipt", "settled_at = null", "done"),
        operation("open_has_no_outcome", "receipt_number = 1", "open"),
        operation("open_has_no_outcome", "result_kind = 'void'", "unknown"),
        operation("open_has_no_outcome", "failure_code = 'x'", "unknown"),
        operation("open_has_no_outcome", "effect_id = 'x'", "open"),
        operation("open_has_no_outcome", "settled_at = now()", "open"),
        operation("open_has_no_outcome", "receipt_timeline = 1", "open"),
        operation("open_has_no_outcome", "response_sha256 = fingerprint_sha256", "open"),
        operation("open_has_no_outcome", "result_kind = 'void'", "open"),
        operation("open_has_no_outcome", "result_sha256 = fingerprint_sha256", "open"),
        operation("open_has_no_outcome", "failure_code = 'x'", "open"),
        operation("result_has_kind", "result = 'x'", "open"),
        operation("failed_has_instant", "settled_at = null", "failed"),
        operation("failed_has_instant", "failure_code = null", "failed"),
        operation("failed_has_instant", "receipt_number = 1", "failed"),
        operation("result_kind_known", "result_kind = 'other', result = null", "done"),
        operation("result_has_kind", "result_kind = 'void'", "done"),
        operation(
            "result_not_stored_has_digest",
            "result_kind = 'not_stored', result = null, result_sha256 = null",
            "done"),
        operation("awaiting_is_listed", "attention_at = null", "conflict"),
        operation("awaiting_is_listed", "parked_reason = 'r'", "unknown"),
        operation("awaiting_is_listed", "pending_evidence = 1", "unknown"),
        operation("awaiting_is_listed", "pending_evidence = 1", "open"),
        operation("awaiting_is_listed", "pending_evidence = 1", "done"),
        operation("release_digest_is_sha256", "release_sha256 = sha256('x')", "open"),
        operation("release_digest_is_sha256", "release_sha256 = 'short'", "done"),
        operation("expiry_finite", "expires_at = 'infinity'", "open"),
        operation("expiry_finite", "expires_at = '-infinity'", "open"));
  }

  private static List<Sentence> observations() {
    return List.of(
        observation("digests_are_sha256", "response_sha256 = 'short'"),
        observation("observer_known", "observer = 'somebody', claim_id = gen_random_uuid()"),
        observation("observer_has_claim", "claim_id = gen_random_uuid()"),
        observation("observer_has_claim", "observer = 'holder'"),
        observation("kind_known", "kind = 'other'"),
        observation("disposition_known", "disposition = 'other'"),
        observation("grade_known", "grade = 'hearsay'"),
        observation("result_kind_known", "result_kind = 'other'"),
        observation(
            "mismatch_closes_nothing", "disposition = 'quarantined', closes_attempt = true"),
        observation("pending_has_evidence", "disposition = 'pending'"),
        observation("pending_has_evidence", "disposition = 'pending', kind = 'succeeded'"));
  }

  private static List<Sentence> receipts() {
    return List.of(
        receipt("digests_are_sha256", "response_sha256 = 'short'"),
        receipt("source_known", "source = 'hearsay'"),
        receipt("adopted_refers", "source = 'adopted'"),
        receipt("adopted_refers", "adopted_receipt = 1"),
        receipt("margin_not_negative", "margin_left_ms = -1"),
        receipt("is_durable", "fsync = 'off'"),
        receipt("is_durable", "full_page_writes = 'off'"),
        receipt("is_durable", "synchronous_commit = 'off'"),
        receipt("is_durable", "synchronous_commit = 'local'"));
  }

  private static List<Sentence> others() {
    return List.of(
        new Sentence("resource_is_shared", "update resource set resource_id = 'export:open'"),
        new Sentence("resource_token_positive", "update resource set fencing_token = 0"),
        new Sentence("resource_expiry_finite", "update resource set expires_at = 'infinity'"),
        new Sentence("binding_generation_not_negative", "update binding set generation = -1"),
        new Sentence("reservation_history_act_known", "update reservation_history set act = 'x'"),
        new Sentence(
            "operator_act_verb_known", "update operator_act set verb = 'x', decision = null"),
        new Sentence("operator_act_decision_known", "update operator_act set decision = 'x'"),
        new Sentence("operator_act_resolve_decides", "update operator_act set decision = null"),
        new Sentence("operator_act_resolve_decides", "update operator_act set verb = 'reopen'"),
        new Sentence("operator_act_rebind_leads_on", "update operator_act set generation = 1"),
        new Sentence(
            "operator_act_evidence_is_sha256", "update operator_act set evidence_sha256 = 'x'"),
        new Sentence("operator_act_order_is_sha256", "update operator_act set order_sha256 = 'x'"),
        new Sentence("ledger_schema_one_row", "update ledger_schema set only_row = false"));
  }

  @ParameterizedTest
  @MethodSource("sentences")
  void a_row_that_contradicts_its_state_is_refused(Sentence sentence) {
    assertThat(sideChannel.attempt(UNGUARDED, sentence.violation()))
        .get()
        .satisfies(
            refusal -> {
              assertThat(refusal.sqlState()).isEqualTo(Refusal.BY_CHECK);
              assertThat(refusal.constraint()).isEqualTo(sentence.constraint());
            });
  }

  @Test
  void no_check_goes_without_a_violation() {
    Set<String> checks =
        new HashSet<>(
            ledger
                .sql()
                .fetch(
                    "select conname as rule from pg_constraint where contype = 'c' and connamespace"
                        + " = 'holdfast'::regnamespace and conrelid <>"
                        + " 'holdfast_schema_history'::regclass union select"
                        + " (regexp_matches(prosrc, '''((operation|receipt)_[a-z0-9_]+)''',"
                        + " 'g'))[1] from pg_proc where proname like '%_is_sound'")
                .getValues("rule", String.class));

    assertThat(sentences().map(Sentence::constraint).collect(Collectors.toSet())).isEqualTo(checks);
  }

  // case C3
  @ParameterizedTest
  @ValueSource(strings = {"operation", "resource"})
  void a_lease_without_a_deadline_cannot_be_written(String table) {
    assertThat(sideChannel.attempt(UNGUARDED, "update " + table + " set expires_at = null"))
        .get()
        .extracting(Refusal::sqlState)
        .isEqualTo(Refusal.BY_NOT_NULL);
  }
}
