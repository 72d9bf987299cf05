package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UserInterceptorsTest {
  private final EmbeddedLedger ledger;

  UserInterceptorsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /** Notes each execution, and whether the barrier was around it. */
  private static final class Noting extends WorkerInterceptorBase {
    final List<String> notes = new CopyOnWriteArrayList<>();

    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        @Override
        public ActivityOutput execute(ActivityInput input) {
          boolean good = FencedEffect.current().leaseGoodFor(Duration.ofMillis(1));
          ActivityOutput output = super.execute(input);
          notes.add(good + " " + output.getResult());
          return output;
        }
      };
    }
  }

  @Test
  void they_run_inside_the_barrier_once_per_dispatch_and_not_on_a_replay() {
    Upstream upstream = new Upstream();
    Noting users = new Noting();
    try (WorkerBed bed = new WorkerBed()) {
      bed.start(
          WorkerBed.plugin(ledger.dataSource()),
          users,
          EffectActivities.of(request -> upstream.dispatch("x")));

      bed.workflow(CallWorkflow.class).call(Call.once("noted", "x"));
      bed.workflow(CallWorkflow.class).call(Call.once("noted", "x"));
    }

    assertThat(users.notes).containsExactly("true did x");
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
