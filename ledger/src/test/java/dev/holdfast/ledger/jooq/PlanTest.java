package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import dev.holdfast.ledger.jooq.ClaimStatement.Shape;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How PostgreSQL would run the statements: by key, however much or little the ledger holds. */
@ExtendWith(LedgerExtension.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PlanTest {
  private static final LedgerSql SQL = new LedgerSql(EmbeddedLedger.SCHEMA);
  private static final Pattern PARAMETER = Pattern.compile("(?<![:\\w]):([a-z][a-z0-9_]*)");

  private static final AwaitingOperation LAST_OF_A_PAGE =
      new AwaitingOperation(
          new Scope("tenant"),
          new OperationId("export", "500000"),
          OperationState.UNKNOWN,
          "open_attempt",
          new Revision(1),
          1,
          0,
          0,
          Instant.EPOCH);

  private final EmbeddedLedger embedded;

  PlanTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
  }

  static Stream<Arguments> statements() {
    CommitLevel on = CommitLevel.ON;
    Map<String, String> texts = new LinkedHashMap<>();
    texts.put("claim", claim(LeaseOf.OPERATION, Shape.PLAIN));
    texts.put("gated claim", claim(LeaseOf.OPERATION, new Shape(1, false)));
    texts.put("bound claim", claim(LeaseOf.OPERATION, new Shape(0, true)));
    texts.put("shared claim", claim(LeaseOf.RESOURCE_TAKEN, Shape.PLAIN));
    texts.put("resource", new ResourceClaimStatement(SQL, on).text());
    texts.put("look", new SharedLookStatement(SQL, false).text());
    texts.put("bound look", new SharedLookStatement(SQL, true).text());
    texts.put("settle", new SettleStatement(SQL, on, LeaseRows.OWN).text());
    texts.put("settle shared", new SettleStatement(SQL, on, LeaseRows.SHARED).text());
    texts.put("release", new ReleaseStatement(SQL, LeaseRows.OWN).text());
    texts.put("release shared", new ReleaseStatement(SQL, LeaseRows.SHARED).text());
    texts.put("abandon", new AbandonStatement(SQL, LeaseRows.OWN).text());
    texts.put("renew", new RenewStatement(SQL, LeaseRows.OWN).text());
    texts.put("renew shared", new RenewStatement(SQL, LeaseRows.SHARED).text());
    texts.put("read", new ReadStatement(SQL, "1").text());
    texts.put("confirm", new ConfirmStatement(SQL, on).text());
    texts.put("park", new ParkStatement(SQL, on).text());
    return texts.entrySet().stream()
        .map(entry -> Arguments.argumentSet(entry.getKey(), entry.getValue()));
  }

  private static String claim(LeaseOf leaseOf, Shape shape) {
    return new ClaimStatement(SQL, CommitLevel.ON, leaseOf, shape).text();
  }

  @Order(1)
  @ParameterizedTest
  @MethodSource("statements")
  void on_an_empty_ledger_every_row_is_found_by_its_key(String text) {
    assertByKey(text);
  }

  @Order(2)
  @Test
  void a_million_operations_are_there() {
    DSLContext sql = embedded.sql();
    // quicker, and of no account for plans
    sql.execute("alter table operation set unlogged");
    sql.execute("alter table resource set unlogged");
    sql.transaction(
        transaction -> {
          DSLContext filling = transaction.dsl();
          filling.execute("set local session_replication_role = replica");
          filling.execute(MILLION);
          filling.execute(
              "insert into resource select scope, ':room ' || n, operation_id, 1, claim_id, worker,"
                  + " expires_at, true from (select *, row_number() over () as n from operation"
                  + " limit 100000) as o");
        });
    sql.execute("analyze operation");
    sql.execute("analyze resource");

    assertThat(sql.fetchSingle("select count(*) from operation").get(0)).isEqualTo(1_000_000L);
  }

  @Order(3)
  @ParameterizedTest
  @MethodSource("statements")
  void on_a_million_operations_every_row_is_found_by_its_key(String text) {
    assertByKey(text);
  }

  @Order(4)
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void what_waits_is_found_by_the_index_that_holds_nothing_else(boolean onALaterPage) {
    AwaitingQuery all = AwaitingQuery.all().in(new Scope("tenant"));
    AwaitingQuery query = onALaterPage ? all.after(LAST_OF_A_PAGE) : all;

    String plan = embedded.sql().explain(AwaitingRows.query(embedded.sql(), query)).plan();

    assertThat(plan).contains("operation_awaits_attention").doesNotContain("Seq Scan");
  }

  private void assertByKey(String text) {
    for (String mode : List.of("force_generic_plan", "force_custom_plan")) {
      List<String> scans = scans(text, mode);

      assertThat(scans).as(mode).isNotEmpty().noneMatch(node -> node.contains("Seq Scan"));
      assertThat(scans)
          .as(mode)
          .filteredOn(node -> node.contains("Index Cond"))
          .allMatch(node -> node.contains("scope") && node.matches(".*(_id|name).*"));
    }
  }

  /** The plan's lines that say how tables are read. */
  private List<String> scans(String text, String mode) {
    return embedded
        .sql()
        .transactionResult(
            transaction -> {
              DSLContext sql = transaction.dsl();
              sql.execute("set local plan_cache_mode = " + mode);
              List<String> values = new ArrayList<>();
              String numbered = numbered(text, values);
              sql.connection(
                  connection -> {
                    try (var statement = connection.createStatement()) {
                      statement.execute("prepare planned as " + numbered);
                    }
                  });
              List<String> plan =
                  sql.resultQuery("explain execute planned (" + String.join(", ", values) + ")")
                      .fetch(DSL.field("QUERY PLAN", String.class));
              sql.execute("deallocate planned");
              return plan.stream()
                  .filter(
                      line ->
                          line.contains("Index Cond")
                              || line.matches(
                                  ".*Scan.* on (operation|resource|receipt|binding) .*"))
                  .toList();
            });
  }

  /** With numbers for names, and a literal of the right type for each number. */
  private static String numbered(String text, List<String> values) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    String numbered =
        PARAMETER
            .matcher(text)
            .replaceAll(
                match -> {
                  String name = match.group(1);
                  if (!numbers.containsKey(name)) {
                    numbers.put(name, numbers.size() + 1);
                    values.add(literal(name));
                  }
                  return "\\$" + numbers.get(name) + "::" + type(name);
                });
    return numbered;
  }

  private static String type(String name) {
    if (name.endsWith("_sha256") || name.equals("result")) {
      return "bytea";
    }
    if (name.endsWith("_seconds")) {
      return "double precision";
    }
    return switch (name.replaceFirst("^gate_\\d_", "")) {
      case "claim_id" -> "uuid";
      case "expires_at" -> "timestamptz";
      case "while_open" -> "boolean";
      case "epoch", "attempt_number", "upstream_status" -> "integer";
      case "generation", "fencing_token", "revision", "receipt_number", "timeline" -> "bigint";
      default -> "varchar";
    };
  }

  private static String literal(String name) {
    return switch (type(name)) {
      case "bytea" -> "sha256('request')";
      case "double precision", "integer", "bigint" -> "1";
      case "uuid" -> "gen_random_uuid()";
      case "timestamptz" -> "now()";
      case "boolean" -> "false";
      default ->
          switch (name) {
            case "lock_timeout" -> "'1s'";
            case "scope" -> "'tenant'";
            case "operation_id" -> "'export:500000'";
            case "resource_id" -> "':room 50000'";
            default -> "'x'";
          };
    };
  }

  /** One scope, so that whoever scans a scope scans everything. */
  private static final String MILLION =
      "insert into operation (scope, operation_id, fingerprint_scheme, fingerprint_sha256,"
          + " generation, resource_id, epoch, state, revision, open_attempts, pending_evidence,"
          + " fencing_token, claim_id, worker, expires_at, released, namespace, attempt_number,"
          + " claimed_at, first_claimed_at, dispatch_deadline_at, horizon_at) select 'tenant',"
          + " 'export:' || n, 'fp1', sha256('request'), 0, 'export:' || n, 0, 'unknown', 1, 0, 0,"
          + " 1, '00000000-0000-0000-0000-000000000001'::uuid, 'worker', now(), true, 'default', 1,"
          + " now(), now(), now(), now() from generate_series(1, 1000000) as n";
}
