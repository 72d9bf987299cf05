package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationType;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.Table;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Every statement that the verbs speak, on a ledger of 100,000 operations with their histories:
 * none reads a table from end to end. Those of the plain path stand in {@link PlanTest} by name.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SpokenPlansTest {
  private static final int OPERATIONS = 100_000;
  private static final Pattern PARAMETER = Pattern.compile("[?]");
  private static final Pattern SCAN =
      Pattern.compile(
          "Seq Scan on (operation|resource|attempt|observation|receipt|operator_act"
              + "|reservation_history)");

  private final EmbeddedLedger ledger;
  private final SpokenStatements spoken = new SpokenStatements();
  private final SettlementBed bed;

  SpokenPlansTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new SettlementBed(ledger, spoken.over(ledger.pool(4)));
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void no_statement_of_any_verb_reads_a_table_from_end_to_end() throws Exception {
    model();
    fill("operation", "attempt", "observation", "receipt", "resource");
    speak();
    fill("operator_act", "reservation_history");

    List<String> scanning = new ArrayList<>();
    List<String> planned = new ArrayList<>();
    for (String text : spoken.texts()) {
      if (text.contains("\"holdfast\".") && !text.contains("holdfast_migrations")) {
        planned.add(text);
        String plan = plan(text);
        if (SCAN.matcher(plan).find()) {
          scanning.add(text + "\n" + plan);
        }
      }
    }
    assertThat(scanning).isEmpty();
    assertThat(planned).hasSizeGreaterThan(40);
  }

  /** All verbs, on the plain paths and off them. */
  private void speak() throws Exception {
    late(SettlementBed.fresh());
    late(Rows.reservation("late-shared", ResourceId.shared("late")));
    ends();
    bed.jooq.sweeper().sweep(Sweeper.Terms.standard(new WorkerName("sweeper")));
    asks();
    parksAndIsResolved();
    conflictsAndIsReopened();
    isListedSweptAndRebound();
    Lease lease = bed.claim(SettlementBed.fresh());
    bed.jooq.settleInTransaction(
        lease, open -> new Effected(SettlementBed.response("effect"), SettlementBed.result("x")));
  }

  private void late(Reservation operation) {
    Lease former = bed.claim(operation);
    bed.letLeasesRunOut();
    Lease holder = bed.claim(operation);
    settle(former, "effect");
    settle(holder, "effect");
    settle(former, "effect");
    Claim replay = bed.jooq.claim(SettlementBed.request(operation));
    assertThat(replay).isInstanceOf(Claim.Replay.class);
    bed.jooq.read(operation.scope(), operation.operation());
    Lease alone = bed.claim(SettlementBed.fresh());
    bed.letLeasesRunOut();
    settle(alone, "effect");
    bed.jooq.claim(SettlementBed.request(alone.reservation()));
  }

  private void ends() {
    for (AttemptEnd end : List.of(ResolverBed.FAILED, ResolverBed.REFUSED, ResolverBed.UNCLEAR)) {
      Lease former = bed.claim(SettlementBed.fresh());
      bed.letLeasesRunOut();
      Lease holder = bed.claim(former.reservation());
      bed.jooq.end(former, end);
      bed.jooq.end(holder, end);
      bed.jooq.end(holder, end);
    }
  }

  private void asks() {
    for (Finding finding :
        List.of(
            new Finding.DidNotHappen(Finding.Finality.FENCED),
            new Finding.NotKnownYet("later"),
            new Finding.OnlyAPersonCanTell("gone"),
            new Finding.Happened(
                ReconcileBed.found(SettlementBed.response("effect").effect()),
                SettlementBed.result("x"),
                null))) {
      Asking asking =
          Asking.about("asked-" + UUID.randomUUID()).under(new OpenAttemptRule.AskFirst());
      asking.dispatched(bed.jooq);
      bed.letLeasesRunOut();
      Claim.Reconcile asks = (Claim.Reconcile) asking.claim(bed.jooq);
      bed.jooq.reconcile(asks.lease(), finding);
    }
  }

  private void parksAndIsResolved() {
    Asking opaque =
        Asking.about("parked-" + UUID.randomUUID()).under(new OpenAttemptRule.ParkWhileOpen());
    opaque.dispatched(bed.jooq);
    bed.letLeasesRunOut();
    attend(opaque);
    assertThat(opaque.claim(bed.jooq)).isInstanceOf(Claim.Parked.class);
    OperatorActs acts = bed.jooq.acts();
    acts.show(opaque.reservation().scope(), opaque.reservation().operation());
    ActTerms terms = ActBed.terms(opaque.reservation());
    acts.resolve(terms, new Decision.DidNotHappen(true));
    acts.resolve(terms, new Decision.DidNotHappen(true));
    opaque.dispatched(bed.jooq);
    bed.letLeasesRunOut();
    attend(opaque);
    acts.resolve(ActBed.terms(opaque.reservation()), ActBed.happened(null));
    acts.show(opaque.reservation().scope(), opaque.reservation().operation());
  }

  private void attend(Asking asking) {
    bed.jooq.attend(
        new AttendRequest(
            asking.reservation().scope(),
            asking.reservation().operation(),
            asking.reservation().fingerprint(),
            asking.reservation().generation(),
            asking.rule(),
            SettlementBed.request(asking.reservation()).policy(),
            SettlementBed.request(asking.reservation()).worker(),
            new AttemptOrigin("default", "workflow", "run", "activity", 1)));
  }

  private void conflictsAndIsReopened() {
    Lease first = bed.claim(SettlementBed.fresh());
    bed.letLeasesRunOut();
    Lease second = bed.claim(first.reservation());
    settle(second, "effect-2");
    settle(first, "effect-1");
    OperatorActs acts = bed.jooq.acts();
    acts.resolve(ActBed.terms(first.reservation()), new Decision.ReceiptStands());
    acts.reopen(ActBed.terms(first.reservation()), true);
    acts.show(first.reservation().scope(), first.reservation().operation());
  }

  private void isListedSweptAndRebound() {
    OpenAttemptRule.Unsure opaque = new OpenAttemptRule.ParkWhileOpen();
    OpenAttemptRule sameKey =
        new OpenAttemptRule.SameKeyAgain(Duration.ofHours(24), Duration.ofMinutes(1), opaque);
    OperatorActs acts = bed.jooq.acts();
    Lease done = bed.claim(SettlementBed.fresh());
    settle(done, "effect");
    acts.list(AwaitingQuery.all());
    acts.list(AwaitingQuery.all().in(new Scope("tenant")));
    bed.jooq
        .sweeper()
        .sweep(
            Sweeper.Terms.standard(new WorkerName("sweeper"))
                .parkingBy(
                    Map.of(
                        new OperationType("export"), opaque, new OperationType("other"), sameKey)));
    acts.rebind(
        ActBed.terms(done.reservation()),
        new Rebind(
            Rebind.Mode.ADOPT, Tuple.of(done.reservation(), done.epoch()), new Generation(1)));
  }

  private SettleOutcome settle(Lease lease, String effect) {
    return bed.jooq.settle(lease, SettlementBed.response(effect), SettlementBed.result(effect));
  }

  private void model() {
    Rows rows = Rows.of(ledger);
    Reservation model = Rows.reservation("model");
    rows.completed(model).insert();
    rows.attempt(model).insert();
    rows.pendingEvidence(model, UUID.randomUUID(), "effect").insert();
    rows.resource(Rows.reservation("model", ResourceId.shared("model"))).insert();
  }

  /** A hundred thousand of each, in one scope: who scans a scope scans all. */
  private void fill(String... tables) {
    ledger
        .sql()
        .transaction(
            transaction -> {
              DSLContext sql = transaction.dsl();
              sql.execute("set local session_replication_role = replica");
              for (String table : tables) {
                multiply(sql, table);
              }
            });
    ledger.sql().execute("analyze");
  }

  private static void multiply(DSLContext sql, String name) {
    Table<Record> table = DSL.table(DSL.name(name));
    List<String> columns =
        sql.fetch(
                "select column_name::text from information_schema.columns where table_schema ="
                    + " 'holdfast' and table_name = ? and is_identity = 'NO' order by"
                    + " ordinal_position",
                name)
            .getValues(0, String.class);
    List<String> values =
        columns.stream()
            .map(
                column ->
                    switch (column) {
                      case "operation_id" -> "'export:filled-' || n";
                      case "resource_id" ->
                          name.equals("resource") ? "':filled ' || n" : "'export:filled-' || n";
                      case "claim_id", "act_id" -> "gen_random_uuid()";
                      // in the order of the rows, as claims are made
                      case "claimed_at" -> "claimed_at - (100000 - n) * interval '1 hour'";
                      case "receipt_number" -> "1000000 + n";
                      default -> column;
                    })
            .toList();
    int made =
        sql.execute(
            ("insert into %s (%s) select %s from (select * from %s limit 1) as model,"
                    + " generate_series(1, %d) as n")
                .formatted(
                    name,
                    String.join(", ", columns),
                    String.join(", ", values),
                    table,
                    OPERATIONS));
    assertThat(made).isEqualTo(OPERATIONS);
  }

  private String plan(String text) {
    AtomicInteger number = new AtomicInteger();
    String numbered = PARAMETER.matcher(text).replaceAll(any -> "\\$" + number.incrementAndGet());
    int parameters = number.get();
    String nulls = parameters == 0 ? "" : "(" + "null, ".repeat(parameters - 1) + "null)";
    return ledger
        .sql()
        .transactionResult(
            transaction -> {
              DSLContext sql = transaction.dsl();
              sql.execute("set local plan_cache_mode = force_generic_plan");
              sql.connection(
                  connection -> {
                    try (var statement = connection.createStatement()) {
                      statement.execute("prepare spoken as " + numbered);
                    }
                  });
              String plan =
                  String.join(
                      "\n",
                      sql.resultQuery("explain execute spoken" + nulls)
                          .fetch(DSL.field("QUERY PLAN", String.class)));
              sql.execute("deallocate spoken");
              return plan;
            });
  }
}
