package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.activity.ActivityInterface;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An upstream forgets its keys; then nothing may be sent again. */
class KeyHorizonTest extends MovedClockBed {
  private final AtomicInteger asked = new AtomicInteger();

  KeyHorizonTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  /** Its upstream remembers keys for two minutes. */
  @ActivityInterface
  public interface Forgetful {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT2M", inFlight = "PT10S", operation = "Effect")
    String forgetful(@OperationKey String key, String request);
  }

  private record Implementation(Upstream upstream) implements Forgetful {
    @Override
    public String forgetful(String key, String request) {
      String answer = upstream.dispatch(request);
      if (upstream.requests() == 1) {
        throw ApplicationFailure.newNonRetryableFailure("after", "AuthorsOwn");
      }
      return answer;
    }
  }

  private String call(String key) {
    return String.valueOf(bed.workflow(UntypedWorkflow.class).call("Forgetful", key, "x", 1));
  }

  @Test
  void past_it_the_operation_is_parked_and_nothing_is_sent() {
    bed.startApart(ledger.dataSource(), new Implementation(upstream));
    Failures.of(() -> call("forgotten"));
    clock.shift(Duration.ofMinutes(2));

    ApplicationFailure failure = Failures.of(() -> call("forgotten"));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.OUTCOME_UNKNOWN);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(rows.state("forgotten")).isEqualTo("unknown, 1 open");
    assertThat(rows.parked("forgotten")).isEqualTo("key_horizon");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  private void startAskable(Reconciled<String> answer) {
    bed.start(WorkerBed.plugin(ledger.dataSource()));
    Reconciles<String> reconciler =
        inquiry -> {
          asked.incrementAndGet();
          return answer;
        };
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(
                    Holdfast.newBuilder(ledger.dataSource())
                        .setLease(WorkerBed.LEASE)
                        .addReconciler(Forgetful.class, reconciler)
                        .build())
                .build());
    factory
        .newWorker(WorkerBed.QUEUE)
        .registerActivitiesImplementations(new Implementation(upstream));
    factory.start();
  }

  @Test
  void past_it_a_reconciler_is_asked() {
    startAskable(Reconciled.happened("found", 200, new byte[0]));
    Failures.of(() -> call("asked"));
    clock.shift(Duration.ofMinutes(2));

    assertThat(call("asked")).isEqualTo("found");
    assertThat(asked).hasValue(1);
    assertThat(upstream.requests()).isEqualTo(1);
  }

  @Test
  void what_did_not_happen_is_sent_again_with_the_same_key() {
    startAskable(Reconciled.didNotHappen());
    Failures.of(() -> call("again"));
    clock.shift(Duration.ofMinutes(5));

    assertThat(call("again")).isEqualTo("did x");
    assertThat(asked).hasValue(1);
    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(upstream.effects()).isEqualTo(1);
  }

  @Test
  void before_it_no_reconciler_is_asked() {
    startAskable(Reconciled.stillUnknown("never"));
    Failures.of(() -> call("unasked"));

    assertThat(call("unasked")).isEqualTo("did x");
    assertThat(asked).hasValue(0);
  }

  @Test
  void before_it_the_same_key_is_sent_again() {
    bed.startApart(ledger.dataSource(), new Implementation(upstream));
    Failures.of(() -> call("remembered"));
    clock.shift(Duration.ofSeconds(60));

    assertThat(call("remembered")).isEqualTo("did x");
    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(upstream.effects()).isEqualTo(1);
  }
}
