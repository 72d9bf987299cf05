package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.BindingName;
import dev.holdfast.BindingRef;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.BoundWorkflow;
import dev.holdfast.activities.bed.BoundWorkflow.Order;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.failure.ApplicationFailure;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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
  void what_was_completed_is_told_after_the_rotation_to_who_asks_under_its_own_generation() {
    start();
    long before = rotate();
    String answer = run(new Order("completed", mandate(before), false, 1));
    rotate();

    assertThat(run(new Order("completed", mandate(before), false, 1))).isEqualTo(answer);

    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void an_attempt_that_may_have_had_its_effect_is_not_made_again_under_the_old_generation() {
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

    ApplicationFailure failure = Failures.of(() -> run(new Order("open", null, false, 3)));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(attempts).hasValue(1);
    assertThat(rows.state("open")).isEqualTo("unknown, 1 open");
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
