package dev.holdfast.workflows.internal;

import static dev.holdfast.workflows.internal.ScriptedLedger.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.api.enums.v1.EventType;
import io.temporal.common.converter.EncodedValues;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.workflow.DynamicSignalHandler;
import io.temporal.workflow.SignalMethod;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The signal that makes a waiting workflow look again. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WaitSignalTest extends WaitBed {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** A listener that a workflow registers late. */
  public interface Greeted {
    /** Counts. */
    @SignalMethod
    void greet(String name);
  }

  @Test
  void a_signal_ends_the_pause_at_once() throws Exception {
    try (Bench bench = failing(Bench.fenced(WaitBed::find))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(has(bench, EventType.EVENT_TYPE_TIMER_CANCELED)).isTrue();
    }
  }

  @Test
  void a_signal_in_vain_makes_it_look_and_wait_on() throws Exception {
    try (Bench bench = failing(Bench.fenced(WaitBed::find))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.signal();
      await().until(() -> bench.timers().size() == 2);
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(bench.timers()).containsExactly(MINUTE, MINUTE);
    }
  }

  @Test
  void a_signal_during_a_look_is_not_lost() throws Exception {
    try (Bench bench = failing(Bench.fenced(WaitBed::find))) {
      bench
          .ledger
          .then(
              () -> {
                bench.signal();
                throw HoldfastFailures.ledgerUnavailable("test", "down");
              })
          .then(row(State.PARKED, 1))
          .then(value("resolved"));
      bench.start();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
    }
  }

  @Test
  void a_signal_before_anything_waits_does_no_harm() {
    try (Bench bench = Bench.skippingTime(WaitBed::find)) {
      bench.exports.finding =
          () -> {
            bench.signal();
            throw no();
          };
      bench.ledger.then(row(State.PARKED, 1)).then(value("resolved"));

      assertThat(bench.run()).isEqualTo("found resolved");
      assertThat(bench.timers()).containsExactly(MINUTE);
    }
  }

  @Test
  void a_codec_that_refuses_plain_payloads_lets_the_signal_through() throws Exception {
    try (Bench bench = failing(Bench.encrypted(WaitBed::find))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.ledger.then(
          ScriptedLedger.completed(
              LookedUp.ResultKind.VALUE,
              StoredPayload.ofBytes(
                  Bench.codec().toPayload("resolved").orElseThrow().toByteArray())));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
    }
  }

  @Test
  void a_users_dynamic_handler_never_sees_the_signal() throws Exception {
    List<String> seen = new ArrayList<>();
    Supplier<String> script =
        () -> {
          Workflow.registerListener(
              (DynamicSignalHandler) (String name, EncodedValues values) -> seen.add(name));
          return find();
        };
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.running().signal("theirs");
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(seen).containsExactly("theirs");
    }
  }

  @Test
  void signals_that_a_workflow_takes_late_come_once() throws Exception {
    List<String> seen = new ArrayList<>();
    Supplier<String> script =
        () -> {
          String found = find();
          Workflow.registerListener((Greeted) seen::add);
          return found;
        };
    try (Bench bench = failing(Bench.fenced(script))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.running().signal("greet", "early");
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
      assertThat(seen).containsExactly("early");
    }
  }

  @Test
  void a_second_interceptor_on_the_worker_does_no_harm() throws Exception {
    WorkerInterceptor twice =
        new WorkerInterceptorBase() {
          @Override
          public WorkflowInboundCallsInterceptor interceptWorkflow(
              WorkflowInboundCallsInterceptor next) {
            return Bench.interceptor(List.of())
                .interceptWorkflow(Bench.interceptor(List.of()).interceptWorkflow(next));
          }
        };
    try (Bench bench = failing(Bench.fenced(WaitBed::find, twice))) {
      bench.ledger.then(row(State.PARKED, 1));
      bench.start();
      waits(bench);
      bench.ledger.then(value("resolved"));
      bench.signal();

      assertThat(resultSoon(bench)).isEqualTo("found resolved");
    }
  }
}
