package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.OPAQUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Switch;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** The database goes away at each step. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutageTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final Switch database;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicInteger attempts = new AtomicInteger();

  OutageTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.database = new Switch(ledger.dataSource());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void start(EffectActivities.Effect effect) {
    bed.startApart(database, EffectActivities.of(effect));
  }

  @Test
  void at_the_start_no_worker_starts() {
    database.turn(false);

    assertThatThrownBy(() -> start(request -> upstream.dispatch("x")))
        .isInstanceOf(LedgerUnavailableException.class);
  }

  @Test
  void a_user_that_the_database_does_not_let_in_stops_the_start() {
    PGSimpleDataSource locked = ledger.dataSource();
    locked.setUser("nobody");
    locked.setPassword("S3CR3T-7f");

    assertThatThrownBy(() -> bed.start(WorkerBed.plugin(locked), EffectActivities.of(r -> r)))
        .isInstanceOf(RuntimeException.class)
        .message()
        .contains("28")
        .doesNotContain("S3CR3T-7f");
  }

  @Test
  void without_tables_no_worker_starts_and_the_message_names_the_call() {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      assertThatThrownBy(
              () -> bed.start(WorkerBed.plugin(empty.dataSource()), EffectActivities.of(r -> r)))
          .hasMessageContaining("JooqLedger.migrate");
    }
  }

  @Test
  void in_the_claim_nothing_is_dispatched() {
    start(request -> upstream.dispatch("x"));
    database.turn(false);

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "claim", "x", 1));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEDGER_UNAVAILABLE);
    assertThat(failure.isNonRetryable()).isFalse();
    assertThat(upstream.requests()).isZero();
    database.turn(true);
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "claim", "x", 1))
        .isEqualTo("did x");
  }

  @Test
  void in_the_settlement_the_effect_is_found_out_by_the_next_attempt() {
    start(
        request -> {
          String answer = upstream.dispatch("x");
          database.turn(attempts.incrementAndGet() > 1);
          return answer;
        });

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "settle", "x", 1));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEDGER_UNAVAILABLE_AFTER_EFFECT);
    assertThat(failure.isNonRetryable()).isFalse();
    database.turn(true);
    assertThat(rows.state("settle")).isEqualTo("in_progress, 1 open");
    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("settle", "x").attempts(20)))
        .isEqualTo("did x");
    assertThat(upstream.effects()).isEqualTo(1);
    assertThat(upstream.requests()).isEqualTo(2);
  }

  /** Nothing may be sent twice, and nobody can be asked. */
  @ActivityInterface
  public interface Witnessing {
    @Fenced(upstream = OPAQUE, inFlight = "PT30S", operation = "Effect")
    String effect(@OperationKey String key, String request);
  }

  private record WitnessingImpl(UnaryOperator<String> effect) implements Witnessing {
    @Override
    public String effect(String key, String request) {
      return effect.apply(request);
    }
  }

  @Test
  void in_the_settlement_it_is_waited_for_while_the_lease_lasts_though_the_attempt_is_over()
      throws Exception {
    bed.start(
        Holdfast.newBuilder(database).setLease(Duration.ofSeconds(30)).build(),
        new WitnessingImpl(
            request -> {
              String answer = upstream.dispatch(request);
              database.turn(false);
              CompletableFuture.delayedExecutor(4, TimeUnit.SECONDS)
                  .execute(() -> database.turn(true));
              return answer;
            }));

    Call call = Call.once("witnessed", "x").startToClose(Duration.ofSeconds(2)).attempts(500);
    String answer =
        WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, call)
            .get(1, TimeUnit.MINUTES);

    assertThat(answer).isEqualTo("did x");
    assertThat(rows.state("witnessed")).startsWith("completed");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void missing_tables_after_the_start_are_told_as_such() {
    start(request -> upstream.dispatch("x"));
    ledger.sql().execute("alter table operation rename to hidden");
    try {
      ApplicationFailure failure =
          Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "hidden", "x", 1));

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEDGER_UNAVAILABLE);
      assertThat(upstream.requests()).isZero();
    } finally {
      ledger.sql().execute("alter table hidden rename to operation");
    }
  }
}
