package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.workflows.internal.LookedUp.State;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.interceptors.WorkerInterceptor;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptor;
import io.temporal.common.interceptors.WorkflowOutboundCallsInterceptorBase;
import io.temporal.failure.ApplicationFailure;
import io.temporal.workflow.Workflow;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writes the histories of {@link RecordedRun} anew, from a real server at {@code TEMPORAL_ADDRESS}.
 * No test of a normal run; CONTRIBUTING.md tells how to call it.
 */
class HistoryRecorder {
  private static final Path HISTORIES = Path.of("src/test/resources/histories/server-1.29.1");
  private static final LookedUp PARKED = ScriptedLedger.row(State.PARKED, 1);

  private final CountDownLatch over = new CountDownLatch(1);
  private final AtomicBoolean hung = new AtomicBoolean();

  @ParameterizedTest
  @EnumSource
  void record(RecordedRun run) throws Exception {
    String target = Objects.requireNonNull(System.getenv("TEMPORAL_ADDRESS"), "TEMPORAL_ADDRESS");
    String queue = "exports-" + run.fileName();
    boolean plain = run.name().startsWith("PLAIN") || run.name().startsWith("ADDED");
    try (Bench bench = bench(target, queue, run, !plain)) {
      if (run != RecordedRun.ADDED) {
        script(bench, run);
      }
      var unused = bench.start();
      if (isWaiting(run)) {
        await().atMost(Duration.ofSeconds(30)).until(() -> !bench.timers().isEmpty());
        bench.signal();
      }
      if (!isExchanged(run)) {
        write(run, json(bench));
        return;
      }
      await().atMost(Duration.ofSeconds(30)).until(() -> !bench.timers().isEmpty());
    } finally {
      over.countDown();
    }
    try (Bench second = bench(target, queue, run, run != RecordedRun.REMOVED)) {
      script(second, run);
      second.environment.start();
      write(run, json(second));
    }
  }

  private static Bench bench(String target, String queue, RecordedRun run, boolean fenced) {
    WorkerInterceptor[] interceptors =
        fenced
            ? new WorkerInterceptor[] {Bench.interceptor(List.of()), new Older(run)}
            : new WorkerInterceptor[0];
    return Bench.recording(target, queue, run.script, interceptors);
  }

  private static boolean isExchanged(RecordedRun run) {
    return run == RecordedRun.REMOVED || run.name().startsWith("ADDED");
  }

  private static boolean isWaiting(RecordedRun run) {
    return run.name().startsWith("WAITED");
  }

  private void script(Bench bench, RecordedRun run) {
    switch (run) {
      case PLAIN_OK, FENCED_OK, FENCED_REFUSED, REMOVED -> {}
      case PLAIN_FAILED -> bench.exports.finding = once(no());
      case PLAIN_TIMED_OUT -> bench.exports.finding = this::late;
      case FENCED_CAPTURED -> bench.ledger.then(completed());
      case SETTLED_1, SETTLED_2, SETTLED_3, SETTLED_4 -> {
        bench.exports.finding = this::late;
        bench.ledger.then(LookedUp.open(State.IN_PROGRESS, 1, 900)).then(completed());
      }
      case PARKED_1 -> {
        bench.exports.finding = once(no());
        bench.ledger.then(PARKED);
      }
      case WAITED_2, WAITED_3, WAITED_4 -> {
        bench.exports.finding = once(no());
        bench.ledger.then(PARKED).then(completed());
      }
      case UNDONE_2, RUN_AGAIN_3, RUN_AGAIN_4 -> {
        bench.exports.finding = once(RecordedRun.parked());
        bench
            .ledger
            .then(ScriptedLedger.row(State.UNKNOWN, 0))
            .then(ScriptedLedger.completed(LookedUp.ResultKind.VOID, null));
      }
      case IMPATIENT -> down(bench, 5);
      case PATIENT -> down(bench, 6);
      case ADDED, ADDED_AFTER_A_FAILURE -> {
        bench.exports.finding = once(no());
        bench.ledger.then(completed());
      }
    }
  }

  private static void down(Bench bench, int times) {
    for (int look = 0; look < times; look++) {
      bench.ledger.then(
          () -> {
            throw HoldfastFailures.ledgerUnavailable("test", "down");
          });
    }
    bench.ledger.then(completed());
  }

  private static ApplicationFailure no() {
    return ApplicationFailure.newNonRetryableFailure("no", "No");
  }

  private static Supplier<@Nullable String> once(ApplicationFailure failure) {
    AtomicBoolean failed = new AtomicBoolean();
    return () -> {
      if (failed.compareAndSet(false, true)) {
        throw failure;
      }
      return "instead";
    };
  }

  /** The first call is late, the next one is not. */
  private String late() {
    try {
      return hung.compareAndSet(false, true) && !over.await(5, TimeUnit.SECONDS) ? "late" : "soon";
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static LookedUp completed() {
    byte[] stored =
        DefaultDataConverter.newDefaultInstance().toPayload("stored").orElseThrow().toByteArray();
    return ScriptedLedger.completed(LookedUp.ResultKind.VALUE, StoredPayload.ofBytes(stored));
  }

  private static String json(Bench bench) throws Exception {
    String result = bench.running().getResult(100, TimeUnit.SECONDS, String.class);
    assertThat(result).isNotNull();
    assertThat(bench.history().getEvents())
        .anyMatch(HistoryEvent::hasWorkflowExecutionCompletedEventAttributes);
    return bench.history().toJson(false);
  }

  private static void write(RecordedRun run, String json) throws Exception {
    String small =
        json.replace(InetAddress.getLocalHost().getHostName(), "recorder")
            .replaceAll("\"stackTrace\":\\s*\"[^\"]*\",\\s*", "");
    Files.createDirectories(HISTORIES);
    Files.writeString(HISTORIES.resolve(run.fileName()), small + "\n");
  }

  /** A worker that knows no newer version of the settlement, and no patience. */
  private static final class Older extends WorkerInterceptorBase {
    private final RecordedRun run;

    Older(RecordedRun run) {
      this.run = run;
    }

    @Override
    public WorkflowInboundCallsInterceptor interceptWorkflow(WorkflowInboundCallsInterceptor next) {
      return new WorkflowInboundCallsInterceptorBase(next) {
        @Override
        public void init(WorkflowOutboundCallsInterceptor outbound) {
          super.init(
              new WorkflowOutboundCallsInterceptorBase(outbound) {
                @Override
                public int getVersion(String changeId, int least, int most) {
                  return run == RecordedRun.IMPATIENT
                      ? Workflow.DEFAULT_VERSION
                      : super.getVersion(changeId, least, Math.min(most, run.version()));
                }
              });
        }
      };
    }
  }
}
