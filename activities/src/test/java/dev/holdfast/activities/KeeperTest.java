package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClient;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the keeper does for leases that cannot be renewed, and for the others beside them. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeeperTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicInteger attempts = new AtomicInteger();

  KeeperTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** A transaction of somebody's that holds this operation's row. */
  private Connection locking(String key) throws SQLException {
    Connection connection = ledger.superuser();
    connection.setAutoCommit(false);
    try (PreparedStatement statement =
        connection.prepareStatement("select 1 from operation where operation_id = ? for update")) {
      statement.setString(1, "Effect:" + key);
      assertThat(statement.executeQuery().next()).isTrue();
    }
    return connection;
  }

  private CompletableFuture<String> call(Call call) {
    return WorkflowClient.execute(bed.workflow(CallWorkflow.class)::call, call);
  }

  private static boolean awaits(CountDownLatch latch) throws InterruptedException {
    return latch.await(60, SECONDS);
  }

  @Test
  void a_row_that_somebody_locks_costs_no_other_lease() throws Exception {
    CountDownLatch lost = new CountDownLatch(1);
    CountDownLatch bothBegun = new CountDownLatch(2);
    CountDownLatch goOn = new CountDownLatch(1);
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(
            request -> {
              String answer = upstream.dispatch(String.valueOf(request));
              if ("locked".equals(request)) {
                FencedEffect.current().onLeaseLost(lost::countDown);
              }
              bothBegun.countDown();
              assertThat(awaits(goOn)).isTrue();
              return answer;
            }));
    CompletableFuture<String> locked = call(Call.once("locked row", "locked"));
    CompletableFuture<String> other = call(Call.once("other row", "other"));
    assertThat(awaits(bothBegun)).isTrue();

    try (Connection connection = locking("locked row")) {
      Instant before = rows.expiry("other row");
      assertThat(awaits(lost)).isTrue();
      assertThat(rows.expiry("other row")).isAfter(before);
      connection.rollback();
    }
    goOn.countDown();

    assertThat(other.get(60, SECONDS)).isEqualTo("did other");
    assertThat(locked.get(60, SECONDS)).isEqualTo("did locked");
    assertThat(upstream.requests()).isEqualTo(2);
  }

  @Test
  void a_hung_activitys_lease_ends_and_the_next_attempt_goes_on() throws Exception {
    CountDownLatch end = new CountDownLatch(1);
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(
            request -> {
              String answer = upstream.dispatch("x");
              if (attempts.incrementAndGet() == 1) {
                // longer than anybody would wait for its lease
                assertThat(awaits(end)).isTrue();
              }
              return answer;
            }));

    CompletableFuture<String> result =
        call(Call.once("hung", "x").startToClose(Duration.ofSeconds(4)).attempts(20));

    assertThat(result.get(50, SECONDS)).isEqualTo("did x");
    assertThat(end.getCount()).isOne();
    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(upstream.effects()).isEqualTo(1);
    end.countDown();
  }

  // case F1
  @Test
  void a_worker_that_cannot_renew_hears_of_it_and_cannot_commit_beside_its_successor()
      throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch lost = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    HikariDataSource pool = ledger.pool(1);
    bed.start(WorkerBed.plugin(ledger.dataSource()));
    oneSlot(
        pool,
        request -> {
          String answer = upstream.dispatch("x");
          FencedEffect.current().onLeaseLost(lost::countDown);
          begun.countDown();
          assertThat(awaits(taken)).isTrue();
          return answer;
        });
    CompletableFuture<String> first =
        WorkflowClient.execute(bed.workflow(UntypedWorkflow.class)::call, "Effect", "f1", "x", 1);
    assertThat(awaits(begun)).isTrue();

    Connection only = pool.getConnection();
    assertThat(awaits(lost)).isTrue();
    oneSlot(
        ledger.dataSource(),
        request -> {
          String answer = upstream.dispatch("x");
          taken.countDown();
          assertThat(awaits(told)).isTrue();
          return answer;
        });
    CompletableFuture<String> second = call(Call.once("f1", "x").attempts(20));
    assertThat(awaits(taken)).isTrue();
    only.close();

    ApplicationFailure failure = Failures.of(() -> result(first));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.LEASE_PREEMPTED);
    assertThat(rows.observations("f1")).contains("succeeded pending");
    told.countDown();
    assertThat(second.get(60, SECONDS)).isEqualTo("did x");
    assertThat(rows.state("f1")).isEqualTo("completed, 0 open");
    assertThat(upstream.effects()).isEqualTo(1);
  }

  /** A worker that runs one activity at a time. */
  private void oneSlot(DataSource dataSource, EffectActivities.Effect effect) {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder().setPlugins(WorkerBed.plugin(dataSource)).build());
    factory
        .newWorker(
            WorkerBed.QUEUE,
            WorkerOptions.newBuilder().setMaxConcurrentActivityExecutionSize(1).build())
        .registerActivitiesImplementations(EffectActivities.of(effect));
    factory.start();
  }

  private static String result(CompletableFuture<String> workflow) throws Exception {
    try {
      return workflow.get(60, SECONDS);
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }
}
