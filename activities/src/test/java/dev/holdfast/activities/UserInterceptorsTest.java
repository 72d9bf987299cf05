package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.AskableShares;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.UntypedWorkflow;
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
import java.util.concurrent.atomic.AtomicInteger;
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

  /** Notes each entry: an execution that fails is one too. */
  private static final class Counting extends WorkerInterceptorBase {
    final AtomicInteger entries = new AtomicInteger();

    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        @Override
        public ActivityOutput execute(ActivityInput input) {
          entries.incrementAndGet();
          return super.execute(input);
        }
      };
    }
  }

  private static AskableShares dyingOnce(Reconciled<String> answer, Runnable asked) {
    AtomicInteger runs = new AtomicInteger();
    return AskableShares.of(
            (shares, request) -> {
              String done = shares.send(request, null);
              if (runs.incrementAndGet() == 1) {
                throw new IllegalStateException("after");
              }
              return done;
            },
            inquiry -> {
              asked.run();
              return answer;
            })
        .fenced();
  }

  @Test
  void they_are_not_around_a_question_and_not_run_where_it_finds_the_effect() {
    Counting users = new Counting();
    List<Integer> whenAsked = new CopyOnWriteArrayList<>();
    try (WorkerBed bed = new WorkerBed()) {
      bed.start(
          WorkerBed.plugin(ledger.dataSource()),
          users,
          dyingOnce(
              Reconciled.happened("found", 200, new byte[0]),
              () -> whenAsked.add(users.entries.get())));

      assertThat(bed.workflow(UntypedWorkflow.class).call("Share", "asked", "x", 3))
          .isEqualTo("found");
    }

    assertThat(whenAsked).containsExactly(1);
    assertThat(users.entries).hasValue(1);
  }

  @Test
  void they_are_around_what_is_sent_after_a_no() {
    Counting users = new Counting();
    List<Integer> whenAsked = new CopyOnWriteArrayList<>();
    try (WorkerBed bed = new WorkerBed()) {
      bed.start(
          WorkerBed.plugin(ledger.dataSource()),
          users,
          dyingOnce(Reconciled.didNotHappen(), () -> whenAsked.add(users.entries.get())));

      assertThat(bed.workflow(UntypedWorkflow.class).call("Share", "denied", "x", 3))
          .isEqualTo("did x");
    }

    assertThat(whenAsked).containsExactly(1);
    assertThat(users.entries).hasValue(2);
  }
}
