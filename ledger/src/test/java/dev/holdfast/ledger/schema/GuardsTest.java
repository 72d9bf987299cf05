package dev.holdfast.ledger.schema;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.schema.SideChannel.Refusal;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(LedgerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GuardsTest {
  // they refuse nothing: they write
  private static final Set<String> WRITERS =
      Set.of(
          "binding_change_writer",
          "reservation_history_writer",
          "operator_act_writer",
          "operation_keep_attempt");

  // they judge a row, not a change: see ChecksTest
  private static final Set<String> CHECKS = Set.of("operation_sound", "receipt_sound");

  private final EmbeddedLedger ledger;
  private final SideChannel sideChannel;

  GuardsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.sideChannel = new SideChannel(ledger);
  }

  @BeforeAll
  void one_row_at_least_stands_in_every_table() {
    Rows rows = Rows.of(ledger);
    rows.inProgress(reservation("open")).insert();
    rows.unknown(reservation("unknown"))
        .with(OPERATION.GENERATION, 1L)
        .with(OPERATION.EPOCH, 1)
        .insert();
    rows.parked(reservation("parked"), "open_attempt").insert();
    rows.completed(reservation("done")).insert();
    rows.failed(reservation("failed")).insert();
    rows.conflict(reservation("conflict")).insert();
    rows.attempt(reservation("open")).insert();
    rows.observation(reservation("open"), "timed_out", "recorded").insert();
    // of another transaction, it excuses nothing any more
    rows.observation(reservation("parked"), "timed_out", "recorded")
        .with(OBSERVATION.CLOSES_ATTEMPT, true)
        .insert();
    rows.resource(reservation("open", ResourceId.shared("printer"))).insert();
    commit(
        Violation.recordedRotation("b", 1),
        "insert into binding values ('tenant', 'b', 1, ledger_clock())",
        "insert into quarantine_warning values ('tenant', 'export:open', 'fp1', sha256('x'), 1,"
            + " ledger_clock())",
        Violation.recordedChange("failed", 1),
        Violation.recordedAct("failed", "resolve"));
  }

  static Stream<Violation> violations() {
    return Violation.all();
  }

  @ParameterizedTest
  @MethodSource("violations")
  void a_violation_is_refused(Violation violation) {
    assertThat(sideChannel.attempt(violation.statements().toArray(String[]::new)))
        .get()
        .satisfies(
            refusal -> {
              assertThat(refusal.sqlState()).isIn(Refusal.BY_GUARD, Refusal.BY_USED_CLAIM);
              assertThat(refusal.message()).contains("the ledger refuses");
            });
  }

  /** So that each guard is what refuses, and each refusal could fail to come. */
  @ParameterizedTest
  @MethodSource("violations")
  void a_violation_passes_where_its_guard_is_missing(Violation violation) {
    String[] statements =
        Stream.concat(
                Stream.of("drop trigger " + violation.guard() + " on " + violation.table()),
                violation.statements().stream())
            .toArray(String[]::new);

    assertThat(sideChannel.attempt(statements)).isEmpty();
  }

  @Test
  void no_guard_goes_without_a_violation() {
    Set<String> guards =
        new LinkedHashSet<>(
            ledger
                .sql()
                .fetch(
                    "select tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid"
                        + " where not tgisinternal and c.relnamespace = 'holdfast'::regnamespace")
                .getValues("tgname", String.class));
    guards.removeAll(WRITERS);
    guards.removeAll(CHECKS);

    assertThat(Violation.all().map(Violation::guard).collect(Collectors.toSet())).isEqualTo(guards);
  }

  @Test
  void an_outcome_goes_to_conflict_as_it_is() {
    assertThat(
            sideChannel.attempt(
                "update operation set state = 'conflict', revision = revision + 1, attention_at ="
                    + " ledger_clock() where operation_id in ('export:done', 'export:failed')"))
        .isEmpty();
  }

  @Test
  void a_recorded_rebind_changes_the_reservation_under_a_new_token() {
    String rebind =
        "update operation set generation = generation + 1, revision = revision + 1,"
            + " fencing_token = fencing_token + %d where operation_id = 'export:unknown'";

    assertThat(sideChannel.attempt(Violation.recordedChange("unknown", 2), rebind.formatted(1)))
        .isEmpty();
    assertThat(sideChannel.attempt(Violation.recordedChange("unknown", 2), rebind.formatted(0)))
        .get()
        .extracting(Refusal::message)
        .asString()
        .contains("under the old fencing token");
  }

  @Test
  void the_wait_for_a_person_ends_by_a_recorded_resolve() {
    assertThat(
            sideChannel.attempt(
                Violation.recordedAct("parked", "resolve"),
                "update operation set parked_reason = null, revision = revision + 1"
                    + " where operation_id = 'export:parked'"))
        .isEmpty();
  }

  @Test
  void a_recorded_resolve_changes_an_outcome() {
    assertThat(
            sideChannel.attempt(
                Violation.recordedAct("conflict", "resolve"),
                "update operation set state = 'completed', revision = revision + 1 where"
                    + " operation_id = 'export:conflict'"))
        .isEmpty();
  }

  @Test
  void a_recorded_erasure_takes_the_result_away() {
    assertThat(
            sideChannel.attempt(
                Violation.recordedAct("done", "erase"),
                "update operation set result = null where operation_id = 'export:done'"))
        .isEmpty();
  }

  @Test
  void a_recorded_purge_deletes_its_own_operation_alone() {
    String purge = Violation.recordedAct("done", "purge");

    assertThat(
            sideChannel.attempt(
                purge,
                "delete from receipt where operation_id = 'export:done'",
                "delete from operation where operation_id = 'export:done'"))
        .isEmpty();
    assertThat(
            sideChannel.attempt(
                purge, "delete from operation where operation_id = 'export:failed'"))
        .isPresent();
  }

  @Test
  void what_closes_the_last_attempt_of_a_parked_operation_is_on_the_record() {
    String unparked =
        "update operation set parked_reason = null, attention_at = null, open_attempts = 0,"
            + " revision = revision + 1 where operation_id = 'export:parked'";
    String closed =
        "insert into observation (scope, operation_id, observer, claim_id, kind, disposition,"
            + " closes_attempt, fingerprint_scheme, fingerprint_sha256, generation, epoch,"
            + " observed_at) select scope, operation_id, 'preempted', claim_id, 'not_dispatched',"
            + " 'closed', true, fingerprint_scheme, fingerprint_sha256, generation, epoch,"
            + " ledger_clock() from operation where operation_id = 'export:parked'";

    assertThat(sideChannel.attempt(unparked)).isPresent();
    assertThat(sideChannel.attempt(closed, unparked)).isEmpty();
  }

  @Test
  void what_another_transaction_recorded_permits_nothing() {
    // the fixture committed a resolve of export:failed
    assertThat(
            sideChannel.attempt(
                "update operation set failure_code = 'other' where operation_id = 'export:failed'"))
        .isPresent();
  }

  @Test
  void nobody_records_in_the_name_of_another_transaction() {
    assertThat(
            sideChannel.attempt(
                "insert into operator_act (act_id, scope, operation_id, verb, forced, actor,"
                    + " reason, revision, order_sha256, acted_at, written_by) values"
                    + " (gen_random_uuid(), 't', 'o', 'purge', false, 'a', 'r', 2, sha256('o'),"
                    + " ledger_clock(), 12345)",
                "do $$ begin assert (select written_by from operator_act where scope = 't')"
                    + " = txid_current(); end $$"))
        .isEmpty();
  }

  @Test
  void a_temporary_table_of_the_same_name_fools_no_guard() {
    assertThat(
            sideChannel.attempt(
                "create temporary table operator_act (like operator_act)",
                "insert into pg_temp.operator_act (act_number, act_id, scope, operation_id, verb,"
                    + " forced, actor, reason, revision, order_sha256, acted_at, written_by) values"
                    + " (1, gen_random_uuid(), 'tenant', 'export:done', 'purge', false, 'ann',"
                    + " 'because', 2, sha256('o'), ledger_clock(), txid_current())",
                "delete from operation where operation_id = 'export:done'"))
        .get()
        .extracting(Refusal::sqlState)
        .isEqualTo(Refusal.BY_GUARD);
  }

  @Test
  void the_attempt_that_a_claim_replaces_is_kept_column_by_column() {
    Rows.of(ledger).expired(reservation("replaced")).with(OPERATION.WORKFLOW_ID, "wf-1").insert();
    StoredOperation before = StoredOperation.of(ledger, reservation("replaced"));

    commit(
        "update operation set claim_id = '"
            + UUID.randomUUID()
            + "', fencing_token = fencing_token + 1, revision = revision + 1, worker = 'next',"
            + " claimed_at = ledger_clock(), workflow_id = 'wf-2', attempt_number = 9, horizon_at ="
            + " ledger_clock(), dispatch_deadline_at = ledger_clock() where operation_id ="
            + " 'export:replaced'");

    Record kept = StoredOperation.of(ledger, reservation("replaced")).attempts().getFirst();
    assertThat(Arrays.asList(kept.fields()))
        .allSatisfy(column -> assertThat(kept.get(column)).isEqualTo(valueOf(before, column)));
  }

  private static @Nullable Object valueOf(StoredOperation operation, Field<?> column) {
    Record row = Objects.requireNonNull(operation.row());
    return row.get(column.getName());
  }

  private void commit(String... statements) {
    ledger
        .sql()
        .transaction(
            transaction -> List.of(statements).forEach(sql -> transaction.dsl().execute(sql)));
  }
}
