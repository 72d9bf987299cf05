package dev.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.spring.BootedApplication.Seen;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.context.ConfigurableApplicationContext;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StopTest {
  private static final int PATIENCE = 20;

  private final EmbeddedLedger ledger;
  private final CountDownLatch inEffect = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);

  StopTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @Test
  void an_effect_under_way_gets_its_receipt_before_the_data_source_is_closed() throws Exception {
    ConfigurableApplicationContext context =
        Booting.start(BootedApplication.class, Booting.worker(ledger));
    context.getBean(Seen.class).duringExport = this::stay;
    WorkerFactory workers = context.getBean(WorkerFactory.class);
    start(context);
    assertThat(inEffect.await(PATIENCE, TimeUnit.SECONDS)).isTrue();

    Thread stopping = Thread.ofVirtual().start(context::close);
    Awaitility.await().atMost(Duration.ofSeconds(PATIENCE)).until(workers::isShutdown);
    goOn.countDown();

    assertThat(stopping.join(Duration.ofSeconds(PATIENCE))).isTrue();
    assertThat(ledger.sql().fetchCount(DSL.table("receipt"))).isEqualTo(1);
  }

  private void stay() {
    inEffect.countDown();
    try {
      boolean unused = goOn.await(PATIENCE, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("stopped within the effect", e);
    }
  }

  private static void start(ConfigurableApplicationContext context) {
    var unused =
        WorkflowClient.start(
            context
                    .getBean(WorkflowClient.class)
                    .newWorkflowStub(
                        ExportWorkflow.class,
                        WorkflowOptions.newBuilder()
                            .setTaskQueue(ExportWorkflow.QUEUE)
                            .setWorkflowId("stopped")
                            .build())
                ::run,
            "stopped",
            "report");
  }
}
