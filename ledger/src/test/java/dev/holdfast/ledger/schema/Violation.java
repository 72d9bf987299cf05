package dev.holdfast.ledger.schema;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a guard exists to refuse.
 *
 * @param guard name of the trigger
 * @param table that it stands on
 * @param statements the last one is the violation, the others lead up to it
 */
record Violation(String guard, String table, List<String> statements) {
  private static final String OPEN = " where operation_id = 'export:open'";
  private static final String UNKNOWN = " where operation_id = 'export:unknown'";
  private static final String DONE = " where operation_id = 'export:done'";
  private static final String PARKED = " where operation_id = 'export:parked'";
  private static final String FAILED = " where operation_id = 'export:failed'";
  private static final String CONFLICT = " where operation_id = 'export:conflict'";
  private static final String NEXT = ", revision = revision + 1, fencing_token = fencing_token + 1";

  /** What a person's rebind or reopen leaves in the same transaction. */
  static String recordedChange(String key, long revision) {
    return "insert into reservation_history select scope, operation_id, "
        + revision
        + ", 'carry', fingerprint_scheme, fingerprint_sha256, generation, resource_id, epoch,"
        + " receipt_number, 'ann', 'because', ledger_clock(), 0 from operation where operation_id ="
        + " 'export:"
        + key
        + "'";
  }

  /** What a person's rotation leaves in the same transaction. */
  static String recordedRotation(String binding, long generation) {
    return "insert into binding_change values ('tenant', '%s', %d, gen_random_uuid(), 'ann',"
            .formatted(binding, generation)
        + " 'because', ledger_clock(), 0)";
  }

  /** What a person's act leaves in the same transaction. */
  static String recordedAct(String key, String verb) {
    String decision = verb.equals("resolve") ? "'happened'" : "null";
    return "insert into operator_act (act_id, scope, operation_id, verb, decision, forced, actor,"
        + " reason, revision, order_sha256, acted_at) values (gen_random_uuid(), 'tenant', 'export:"
        + key
        + "', '"
        + verb
        + "', "
        + decision
        + ", false, 'ann', 'because', 2, sha256('order'), ledger_clock())";
  }

  static Stream<Violation> all() {
    return Stream.of(
            firstClaims(),
            falls(),
            leases(),
            reservations(),
            excuses(),
            counters(),
            parking(),
            outcomes(),
            bindings(),
            rows())
        .flatMap(violations -> violations);
  }

  private static Stream<Violation> firstClaims() {
    return Stream.of(
            "{\"state\": \"unknown\", \"released\": true}",
            "{\"epoch\": 1}",
            "{\"open_attempts\": 2}",
            "{\"pending_evidence\": 1, \"attention_at\": \"2026-01-01T00:00:00Z\"}")
        .map(
            columns ->
                of(
                    "operation_moves_forward",
                    "operation",
                    "insert into operation select (jsonb_populate_record(o, '"
                        + columns
                        + "'::jsonb || '{\"operation_id\": \"export:fresh\"}')).* from operation o"
                        + OPEN));
  }

  private static Stream<Violation> falls() {
    String guard = "operation_moves_forward";
    return Stream.of(
        of(guard, "operation", "update operation set fencing_token = fencing_token - 1" + OPEN),
        of(
            guard,
            "operation",
            "update operation set revision = revision + 1, fencing_token = fencing_token - 1"
                + OPEN),
        of(guard, "operation", "update operation set revision = revision - 1" + DONE),
        of(
            guard,
            "operation",
            recordedChange("unknown", 2),
            "update operation set generation = generation - 1" + NEXT + UNKNOWN),
        of(
            guard,
            "operation",
            recordedChange("unknown", 2),
            "update operation set epoch = epoch - 1" + NEXT + UNKNOWN),
        of("resource_never_falls", "resource", "update resource set fencing_token = 1"));
  }

  private static Stream<Violation> leases() {
    return Stream.of(
        of(
            "operation_moves_forward",
            "operation",
            "update operation set state = 'unknown', released = true" + OPEN),
        of(
            "operation_moves_forward",
            "operation",
            "update operation set claim_id = gen_random_uuid(), revision = revision + 1" + OPEN),
        of(
            "operation_claim_id_is_fresh",
            "operation",
            "update operation o set claim_id = (select a.claim_id from attempt a where"
                + " a.operation_id = o.operation_id)"
                + NEXT
                + OPEN),
        of(
            "resource_claim_has_new_token",
            "resource",
            "update resource set claim_id = gen_random_uuid()"),
        of("operation_moves_forward", "operation", "update operation set released = false" + DONE),
        of("resource_stays_released", "resource", "update resource set released = false"));
  }

  private static Stream<Violation> reservations() {
    String guard = "operation_reservation_stays";
    return Stream.of(
            "update operation set fingerprint_sha256 = sha256('other')" + NEXT + OPEN,
            "update operation set fingerprint_scheme = 'fp2'" + NEXT + OPEN,
            "update operation set generation = generation + 1" + NEXT + OPEN,
            "update operation set resource_id = ':other'" + NEXT + OPEN,
            "update operation set epoch = epoch + 1" + NEXT + OPEN,
            "update operation set scope = 'other'" + NEXT + OPEN,
            "update operation set operation_id = 'export:other'" + NEXT + OPEN)
        .map(statement -> of(guard, "operation", statement));
  }

  private static Stream<Violation> counters() {
    return Stream.of(
            "open_attempts = open_attempts - 1" + OPEN,
            "open_attempts = open_attempts + 1" + OPEN,
            "pending_evidence = pending_evidence + 1, attention_at = ledger_clock()" + OPEN,
            "horizon_at = horizon_at - interval '1 hour'" + OPEN,
            "first_claimed_at = first_claimed_at + interval '1 hour'" + UNKNOWN)
        .map(
            change -> of("operation_moves_forward", "operation", "update operation set " + change));
  }

  private static Stream<Violation> parking() {
    return Stream.of(
            "",
            ", open_attempts = 0",
            ", state = 'in_progress', released = false, fencing_token = fencing_token + 1, claim_id"
                + " = gen_random_uuid()")
        .map(
            with ->
                of(
                    "operation_unparked_by_rule",
                    "operation",
                    "update operation set parked_reason = null, revision = revision + 1"
                        + with
                        + PARKED));
  }

  /**
   * What closes an attempt excuses nothing while another is open; what closes none, nothing at all.
   */
  private static Stream<Violation> excuses() {
    String unpark =
        "update operation set parked_reason = null, revision = revision + 1, attention_at = null";
    String guard = "operation_unparked_by_rule";
    return Stream.of(
        of(guard, "operation", observed("parked", true), unpark + PARKED),
        of(guard, "operation", observed("parked", false), unpark + ", open_attempts = 0" + PARKED),
        of(guard, "operation", recordedRebind("parked"), unpark + PARKED));
  }

  /** Ends the wait of what was superseded, and no other. */
  private static String recordedRebind(String key) {
    return recordedAct(key, "rebind")
        .replace("decision, forced", "generation, forced")
        .replace("null, false", "1, false");
  }

  private static String observed(String key, boolean closing) {
    return "insert into observation (scope, operation_id, observer, kind, disposition,"
        + " closes_attempt, fingerprint_scheme, fingerprint_sha256, generation, epoch, observed_at)"
        + " select scope, operation_id, 'none', 'timed_out', 'recorded', "
        + closing
        + ", fingerprint_scheme, fingerprint_sha256, generation, epoch, ledger_clock() from"
        + " operation"
        + " where operation_id = 'export:"
        + key
        + "'";
  }

  private static Stream<Violation> outcomes() {
    String guard = "operation_moves_forward";
    Stream<Violation> overwritten =
        Stream.of(
                "update operation set result = 'other'" + DONE,
                "update operation set result = null, result_kind = 'null'" + DONE,
                "update operation set result_sha256 = sha256('other')" + DONE,
                "update operation set response_sha256 = sha256('other')" + DONE,
                "update operation set effect_id = 'other'" + DONE,
                "update operation set receipt_timeline = 7" + DONE,
                "update operation set settled_at = ledger_clock()" + DONE,
                "update operation set failure_code = 'other'" + FAILED,
                "update operation set upstream_status = 599" + FAILED,
                "update operation set revision = revision + 1, state = 'failed', failure_code ="
                    + " 'x', receipt_number = null"
                    + DONE,
                "update operation set revision = revision + 1, state = 'completed'" + CONFLICT,
                "update operation set revision = revision + 1, state = 'conflict', result ="
                    + " 'other', attention_at = ledger_clock()"
                    + DONE,
                "update operation set revision = revision + 1, state = 'unknown', failure_code ="
                    + " null, settled_at = null"
                    + FAILED)
            .map(statement -> of(guard, "operation", statement));
    return Stream.concat(
        overwritten,
        Stream.of(
            of(
                "operation_completed_by_receipt",
                "operation",
                "update operation set state = 'completed', receipt_number = 1, receipt_timeline ="
                    + " 1, response_sha256 = sha256('response'), effect_id = 'e', result_kind ="
                    + " 'void', settled_at = ledger_clock(), revision = revision + 1"
                    + OPEN)));
  }

  private static Stream<Violation> bindings() {
    String guard = "binding_rises_by_record";
    return Stream.of(
        of(guard, "binding", "insert into binding values ('tenant', 'c', 1, ledger_clock())"),
        of(guard, "binding", "update binding set generation = generation + 1"),
        of(
            guard,
            "binding",
            recordedRotation("b", 0),
            "update binding set generation = generation - 1"),
        of(
            guard,
            "binding",
            recordedRotation("c", 2),
            "update binding set generation = generation + 1, name = 'c'"));
  }

  private static Stream<Violation> rows() {
    List<String> purged =
        List.of(
            "operation",
            "attempt",
            "observation",
            "receipt",
            "reservation_history",
            "quarantine_warning");
    List<String> insertOnly =
        List.of(
            "attempt",
            "observation",
            "receipt",
            "binding_change",
            "reservation_history",
            "quarantine_warning",
            "operator_act");
    List<String> forEver = List.of("resource", "binding", "binding_change", "operator_act");
    Stream<Violation> deleted =
        purged.stream().map(table -> of(table + "_purged_only", table, "delete from " + table));
    Stream<Violation> changed =
        insertOnly.stream()
            .map(
                table ->
                    of(table + "_insert_only", table, "update " + table + " set scope = scope"));
    Stream<Violation> lost =
        forEver.stream().map(table -> of(table + "_stays", table, "delete from " + table));
    Stream<Violation> truncated =
        Stream.concat(
                purged.stream(), Stream.of("resource", "binding", "binding_change", "operator_act"))
            .map(table -> of(table + "_not_truncated", table, "truncate " + table));
    return Stream.of(deleted, changed, lost, truncated).flatMap(violations -> violations);
  }

  private static Violation of(String guard, String table, String... statements) {
    return new Violation(guard, table, List.of(statements));
  }

  /** For the names of the tests. */
  @Override
  public String toString() {
    return guard + ": " + statements.getLast();
  }
}
