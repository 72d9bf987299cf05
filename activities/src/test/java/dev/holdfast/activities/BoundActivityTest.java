package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.BoundWorkflow;
import dev.holdfast.activities.bed.BoundWorkflow.Order;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.RivalHolder;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.workflows.internal.DurableWait;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An effect is requested under a binding's generation, and under that one alone carried out. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BoundActivityTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final JooqLedger beside;

  BoundActivityTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.beside = JooqLedger.open(ledger.dataSource(), LedgerOptions.standard());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void start() {
    bed.start(
        WorkerBed.plugin(ledger.dataSource()), new BoundWorkflow.BoundImpl(upstream::dispatch));
  }

  private long rotate() {
    Scope scope = new Scope("default");
    var name = new dev.holdfast.ledger.BindingName("mandate");
    var seen = beside.currentBinding(scope, name);
    RotateOutcome done =
        beside
            .acts()
            .rotate(new Rotation(ActId.random(), scope, name, seen, "ann", "renewed", false));
    assertThat(done).isInstanceOf(RotateOutcome.Rotated.class);
    return seen.value() + 1;
  }

  private static Order now(String key) {
    return new Order(key, null, false, 1);
  }

  private static BindingRef mandate(long generation) {
    return new BindingRef(new BindingName("mandate"), new Generation(generation));
  }

  private String run(Order order) {
    return bed.workflow(BoundWorkflow.class).run(order);
  }

  @Test
  void it_is_reserved_under_the_generation_that_is_current() {
    start();
    long current = rotate();

    assertThat(run(now("current"))).isEqualTo("did " + current);

    assertThat(rows.generation("current")).isEqualTo(current);
  }

  @Test
  void one_that_was_rotated_before_the_claim_is_superseded_and_nothing_is_sent() {
    start();
    BoundWorkflow workflow = bed.workflow("waiting", BoundWorkflow.class);
    WorkflowClient.start(workflow::run, new Order("rotated", null, true, 5));
    Awaitility.await()
        .until(
            () ->
                bed.history("waiting").getEvents().stream()
                    .anyMatch(event -> event.hasMarkerRecordedEventAttributes()));
    rotate();
    workflow.go();

    ApplicationFailure failure =
        Failures.of(() -> WorkflowStub.fromTyped(workflow).getResult(String.class));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.BINDING_SUPERSEDED);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("rotated");
    assertThat(rows.state("rotated")).isEqualTo("none");
    assertThat(upstream.requests()).isZero();
  }

  @Test
  void another_generation_under_a_reserved_key_is_superseded_too() {
    start();
    long before = rotate();
    run(new Order("reserved", mandate(before), false, 1));
    long after = rotate();

    ApplicationFailure failure =
        Failures.of(() -> run(new Order("reserved", mandate(after), false, 1)));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.BINDING_SUPERSEDED);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("generation");
    assertThat(upstream.effects()).isEqualTo(1);
  }

  @Test
  void a_result_too_large_for_a_look_is_told_after_the_rotation_too() {
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        new BoundWorkflow.BoundImpl(request -> upstream.dispatch(request) + "!".repeat(70_000)));
    long before = rotate();
    String answer = run(new Order("large", mandate(before), false, 1));
    rotate();

    assertThat(run(new Order("large", mandate(before), false, 1)))
        .isEqualTo(answer)
        .hasSizeGreaterThan(70_000);

    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void what_was_completed_is_told_after_the_rotation_to_who_asks_under_its_own_generation() {
    start();
    long before = rotate();
    String answer = run(new Order("completed", mandate(before), false, 1));
    rotate();

    assertThat(run(new Order("completed", mandate(before), false, 1))).isEqualTo(answer);

    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void an_attempt_that_may_have_had_its_effect_is_not_made_again_but_waits_for_a_person()
      throws Exception {
    AtomicInteger attempts = new AtomicInteger();
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        new BoundWorkflow.BoundImpl(
            request -> {
              attempts.incrementAndGet();
              var unused = upstream.dispatch(request);
              rotate();
              throw ApplicationFailure.newFailure("the connection broke", "Broken");
            }));

    BoundWorkflow workflow = bed.workflow("open", BoundWorkflow.class);
    WorkflowClient.start(workflow::run, new Order("open", null, false, 3));

    AwaitingOperation parked = parked("open");

    assertThat(parked.parkedReason()).isEqualTo("superseded");
    assertThat(attempts).hasValue(1);
    assertThat(rows.state("open")).isEqualTo("unknown, 1 open");
    decide(parked, new Decision.DidNotHappen(true));
    bed.temporal().getWorkflowClient().newUntypedWorkflowStub("open").signal(DurableWait.SIGNAL);
    ApplicationFailure failure =
        Failures.of(() -> WorkflowStub.fromTyped(workflow).getResult(40, SECONDS, String.class));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.BINDING_SUPERSEDED);
    assertThat(attempts).hasValue(1);
  }

  /** Once it waits for a person. */
  private AwaitingOperation parked(String key) {
    AwaitingQuery query = AwaitingQuery.all().waitingFor(Set.of(AwaitingOperation.Cause.PARKED));
    return Awaitility.await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () ->
                beside.acts().list(query).stream()
                    .filter(waiting -> waiting.operation().key().equals(key))
                    .toList(),
            Predicate.not(List::isEmpty))
        .getFirst();
  }

  private void decide(AwaitingOperation parked, Decision decision) {
    ActTerms terms =
        new ActTerms(
            parked.scope(), parked.operation(), parked.revision(), "ann", "asked them", false);
    assertThat(beside.acts().resolve(terms, decision)).isInstanceOf(ActOutcome.Done.class);
  }

  /** The last attempt was made, and no claim comes that could be refused. */
  @Test
  void one_to_which_no_attempt_comes_any_more_waits_for_a_person_too() throws Exception {
    bed.start(
        WorkerBed.plugin(ledger.dataSource()),
        new BoundWorkflow.BoundImpl(
            request -> {
              var unused = upstream.dispatch(request);
              rotate();
              throw ApplicationFailure.newFailure("the connection broke", "Broken");
            }));
    BoundWorkflow workflow = bed.workflow("last", BoundWorkflow.class);
    WorkflowClient.start(workflow::run, new Order("last", null, false, 1));

    AwaitingOperation parked = parked("last");

    assertThat(parked.parkedReason()).isEqualTo("superseded");
    decide(
        parked,
        new Decision.Happened(
            new EffectId("theirs"),
            200,
            Sha256.ofUtf8("what the person saw"),
            new StoredResult.Value(RivalHolder.encoded("as the person saw it")),
            null));
    bed.temporal().getWorkflowClient().newUntypedWorkflowStub("last").signal(DurableWait.SIGNAL);
    assertThat(WorkflowStub.fromTyped(workflow).getResult(40, SECONDS, String.class))
        .isEqualTo("as the person saw it");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case H5
  @Test
  void a_success_of_an_older_generation_is_set_aside_and_told_of() {
    Queue<QuarantineWarning> told = new ConcurrentLinkedQueue<>();
    bed.start(
        Holdfast.newBuilder(ledger.dataSource())
            .setLease(WorkerBed.LEASE)
            .setQuarantineListener(told::add)
            .build(),
        new BoundWorkflow.BoundImpl(
            request -> {
              String answer = upstream.dispatch(request);
              carryOver("stale");
              return answer;
            }));

    ApplicationFailure failure = Failures.of(() -> run(now("stale")));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.BINDING_SUPERSEDED);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("quarantined");
    assertThat(told).hasSize(1);
    assertThat(rows.state("stale")).isEqualTo("unknown, 1 open");
  }

  /** Its lease runs out, and a person carries it to the next generation. */
  private void carryOver(String key) {
    OperationId operation = new OperationId("Effect", key);
    ledger
        .sql()
        .execute(
            "update operation set expires_at = ledger_clock() where operation_id = ?",
            operation.text());
    OperationView seen = beside.read(new Scope("default"), operation).orElseThrow();
    ActOutcome done =
        beside
            .acts()
            .rebind(
                new ActTerms(new Scope("default"), operation, null, "ann", "still wanted", false),
                new Rebind(
                    Rebind.Mode.CARRY,
                    Tuple.of(seen.reservation(), seen.epoch()),
                    new dev.holdfast.ledger.Generation(
                        seen.reservation().generation().value() + 1)));
    assertThat(done).isInstanceOf(ActOutcome.Done.class);
  }
}
