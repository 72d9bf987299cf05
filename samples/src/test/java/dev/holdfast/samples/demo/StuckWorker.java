package dev.holdfast.samples.demo;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Holdfast;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.client.WorkflowClient;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptorBase;
import io.temporal.common.interceptors.WorkerInterceptorBase;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A worker process whose activities stand each in a step of the barrier until it is told to go on,
 * and which stops in an orderly way when it is asked to end.
 */
final class StuckWorker {
  /** Told by whoever started it. */
  static final String GO_ON = "go on";

  private static final CountDownLatch TOLD = new CountDownLatch(1);

  private StuckWorker() {}

  /** Where the activity of that key stands; the ledger's answers are held outside. */
  enum Step {
    BEFORE_THE_CLAIM,
    IN_THE_EFFECT,
    BEFORE_THE_RECEIPT,
    IN_THE_SETTLEMENT,
    IN_THE_CLAIM;

    /** Printed there. */
    String line() {
      return "WORKER at " + this;
    }

    private void stand(String key) {
      if (key.endsWith(name())) {
        Narrator.say(line());
        try {
          TOLD.await();
        } catch (InterruptedException e) {
          throw new IllegalStateException("interrupted", e);
        }
      }
    }
  }

  /** Arguments: Temporal's address, the JDBC URL, the task queue. */
  public static void main(String[] args) throws IOException {
    HikariDataSource pool = Backends.pool(args[1], 8);
    WorkerFactory factory =
        WorkerFactory.newInstance(
            WorkflowClient.newInstance(FencedWorker.connect(args[0])),
            WorkerFactoryOptions.newBuilder()
                .setPlugins(Holdfast.newBuilder(pool).setLease(Duration.ofSeconds(4)).build())
                .setWorkerInterceptors(new BeforeTheClaim())
                .build());
    factory.newWorker(args[2]).registerActivitiesImplementations(new Stuck());
    factory.start();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(factory)));
    Narrator.say(WorkerProcess.POLLING);
    awaitWord();
  }

  private static void stop(WorkerFactory factory) {
    factory.shutdown();
    factory.awaitTermination(30, TimeUnit.SECONDS);
  }

  private static void awaitWord() throws IOException {
    byte[] word = System.in.readNBytes(GO_ON.length());
    if (new String(word, StandardCharsets.UTF_8).equals(GO_ON)) {
      TOLD.countDown();
    }
  }

  private static final class BeforeTheClaim extends WorkerInterceptorBase {
    @Override
    public ActivityInboundCallsInterceptor interceptActivity(ActivityInboundCallsInterceptor next) {
      return new ActivityInboundCallsInterceptorBase(next) {
        @Override
        public void init(ActivityExecutionContext context) {
          Step.BEFORE_THE_CLAIM.stand(String.valueOf(context.getInfo().getWorkflowId()));
          super.init(context);
        }
      };
    }
  }

  private static final class Stuck implements HeldOrders.Orders {
    @Override
    public String order(String key, HeldOrders.Manner manner) {
      String answer =
          FencedEffect.current()
              .dispatch(
                  upstreamKey -> {
                    String read = upstreamKey.value();
                    Step.IN_THE_EFFECT.stand(key);
                    return read.isEmpty() ? "nothing" : "ordered " + key;
                  },
                  Evidence.of(any -> 200, answered -> answered.getBytes(StandardCharsets.UTF_8)));
      Step.BEFORE_THE_RECEIPT.stand(key);
      return answer;
    }
  }
}
