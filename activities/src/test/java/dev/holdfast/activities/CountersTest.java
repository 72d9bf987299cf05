package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.AskableShares;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.NoticeActivities;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a worker counts while nobody knows how an effect ended. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CountersTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final HoldfastCounters counters = new HoldfastCounters();
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();
  private final AtomicInteger runs = new AtomicInteger();

  CountersTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private void start(DataSource database, Object activity) {
    bed.start(WorkerBed.plugin(ledger.dataSource()));
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(
                    Holdfast.newBuilder(database)
                        .setLease(WorkerBed.LEASE)
                        .setCounters(counters)
                        .build())
                .build());
    factory.newWorker(WorkerBed.QUEUE).registerActivitiesImplementations(activity);
    factory.start();
  }

  private String call(String type, String key) {
    return String.valueOf(bed.workflow(UntypedWorkflow.class).call(type, key, "x", 1));
  }

  private static void breakOff() {
    throw ApplicationFailure.newNonRetryableFailure("after", "AuthorsOwn");
  }

  private AskableShares dyingOnce(AskableShares.Question question) {
    return AskableShares.of(
        (shares, request) -> {
          String answer = shares.send(request, null);
          if (runs.incrementAndGet() == 1) {
            breakOff();
          }
          return answer;
        },
        question);
  }

  @Test
  void an_operation_that_parks_counts_once_however_often_it_is_called() {
    start(
        ledger.dataSource(),
        NoticeActivities.of(
            request -> {
              var unused = upstream.dispatch(String.valueOf(request));
              breakOff();
              return null;
            }));
    Failures.of(() -> call("Post", "parks"));

    for (int again = 1; again <= 3; again++) {
      assertThat(Failures.of(() -> call("Post", "parks")).getType())
          .isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    }

    assertThat(rows.parked("parks")).isEqualTo("open_attempt");
    assertThat(counters.parked()).isEqualTo(1);
    assertThat(counters.reconciled()).isZero();
    assertThat(counters.readBacks()).isZero();
  }

  @Test
  void one_that_parks_after_a_question_counts_and_its_question_too() {
    start(ledger.dataSource(), dyingOnce(inquiry -> Reconciled.underAnotherTag()));
    Failures.of(() -> call("Share", "tagged"));

    Failures.of(() -> call("Share", "tagged"));
    Failures.of(() -> call("Share", "tagged"));

    assertThat(counters.parked()).isEqualTo(1);
    assertThat(counters.reconciled()).isEqualTo(1);
  }

  @Test
  void a_lost_answer_that_was_looked_for_counts() {
    try (CountingProxy proxy = CountingProxy.before(ledger)) {
      start(
          ledger.dataSource(proxy),
          NoticeActivities.of(
              request -> {
                String answer = upstream.dispatch(String.valueOf(request));
                proxy.disturbNext(
                    trip -> trip.mentions("insert into \"holdfast\".\"receipt\""),
                    new Disturbance.CutBeforeAnswer());
                return answer;
              }));

      assertThat(call("Post", "lost")).isEqualTo("did x");
      assertThat(call("Post", "lost")).isEqualTo("did x");
    }

    assertThat(counters.readBacks()).isEqualTo(1);
    assertThat(counters.parked()).isZero();
  }
}
