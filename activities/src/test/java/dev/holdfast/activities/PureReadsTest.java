package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.workflows.internal.FencedWorkflowInterceptor;
import dev.holdfast.workflows.internal.LeaseTimes;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.activity.ActivityInterface;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.worker.WorkerFactoryOptions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Seed: what only reads stays as it is; it asks the ledger for nothing. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PureReadsTest {
  private final EmbeddedLedger ledger;

  PureReadsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /** Keeps the headers that activities are called with. */
  private static final class Headers extends WorkerInterceptorBase {
    final Map<String, Set<String>> seen = new ConcurrentHashMap<>();

    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        private String type = "";

        @Override
        public void init(ActivityExecutionContext context) {
          type = context.getInfo().getActivityType();
          super.init(context);
        }

        @Override
        public ActivityOutput execute(ActivityInput input) {
          seen.put(type, Set.copyOf(input.getHeader().getValues().keySet()));
          return super.execute(input);
        }
      };
    }
  }

  @Test
  void it_is_called_without_a_header() {
    Headers headers = new Headers();
    try (WorkerBed bed = new WorkerBed()) {
      bed.start(
          WorkerBed.plugin(ledger.dataSource()),
          headers,
          new Reader(),
          EffectActivities.of(request -> new Upstream().dispatch("x")));

      bed.workflow(UntypedWorkflow.class).call("LookUp", "headed", "x", 1);
      bed.workflow(UntypedWorkflow.class).call("Effect", "headed", "x", 1);
    }

    assertThat(headers.seen.get("LookUp")).isEmpty();
    assertThat(headers.seen.get("Effect"))
        .hasSize(2)
        .contains("holdfast-operation")
        .allMatch(header -> header.startsWith("holdfast-"));
  }

  /** An activity of the worker's own that declares nothing. */
  @ActivityInterface
  public interface Reading {
    String lookUp(String key, String request);
  }

  private static final class Reader implements Reading {
    @Override
    public String lookUp(String key, String request) {
      return "read " + request;
    }
  }

  @Test
  void an_activity_that_declares_nothing_makes_no_round_trip() {
    Upstream upstream = new Upstream();
    try (CountingProxy proxy = CountingProxy.before(ledger);
        WorkerBed bed = new WorkerBed()) {
      bed.startApart(
          ledger.dataSource(proxy),
          new Reader(),
          EffectActivities.of(request -> upstream.dispatch("x")));
      proxy.reset();

      assertThat(bed.workflow(UntypedWorkflow.class).call("LookUp", "k", "x", 1))
          .isEqualTo("read x");
      assertThat(proxy.roundTrips()).isEmpty();

      bed.workflow(UntypedWorkflow.class).call("Effect", "k", "x", 1);
      assertThat(proxy.roundTrips()).isNotEmpty();
    }
  }

  @Test
  void the_workflow_side_looks_its_method_up_once() {
    AtomicInteger lookedUp = new AtomicInteger();
    FencedWorkflowInterceptor workflows =
        new FencedWorkflowInterceptor(
            null,
            List.of(),
            () -> {
              lookedUp.incrementAndGet();
              return List.of(Reader.class);
            },
            new LeaseTimes(Duration.ofSeconds(30), Duration.ofSeconds(2)));
    try (WorkerBed bed = new WorkerBed()) {
      bed.start(
          WorkerFactoryOptions.newBuilder().setWorkerInterceptors(workflows).build(), new Reader());

      for (int i = 0; i < 3; i++) {
        bed.workflow(UntypedWorkflow.class).call("LookUp", "cached", "x", 1);
      }
    }

    assertThat(lookedUp).hasValue(1);
  }
}
