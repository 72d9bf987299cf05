package dev.holdfast.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.Delivered;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.spring.BootedApplication.ExportBean;
import dev.holdfast.spring.BootedApplication.Seen;
import dev.holdfast.spring.BootedApplication.ShareBean;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.common.converter.GlobalDataConverter;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.aop.support.AopUtils;
import org.springframework.boot.SpringBootVersion;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that says nothing of Holdfast but properties. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StarterTest {
  private static final Field<String> SCOPE = DSL.field("scope", String.class);
  private static final Field<String> LEVEL = DSL.field("synchronous_commit", String.class);
  private static final Field<String> WORKER = DSL.field("worker", String.class);

  private final EmbeddedLedger ledger;
  private final ConfigurableApplicationContext context;
  private final Seen seen;

  StarterTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.context =
        Booting.start(
            BootedApplication.class,
            Booting.worker(
                ledger, "holdfast.worker-name=booted", "holdfast.commit-level=remote_apply"));
    this.seen = context.getBean(Seen.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  @Test
  void each_effect_of_a_proxied_bean_happens_once_and_leaves_a_receipt() {
    assertThat(SpringBootVersion.getVersion())
        .isEqualTo(System.getProperty("expected.boot.version"));
    assertThat(AopUtils.isCglibProxy(context.getBean(ExportBean.class))).isTrue();
    assertThat(AopUtils.isCglibProxy(context.getBean(ShareBean.class))).isTrue();

    assertThat(AopUtils.isJdkDynamicProxy(context.getBean(ExportWorkflow.Notices.class))).isTrue();

    assertThat(run("once", "first")).isEqualTo("notice of found");
    assertThat(run("once", "second")).isEqualTo("notice of found");

    assertThat(seen.sent)
        .containsExactly(
            "report in transaction",
            "share of report in transaction",
            // once for each workflow
            "notice of found",
            "notice of found");
    assertThat(ledger.sql().select(SCOPE, LEVEL).from("receipt").fetch(Object::toString))
        .hasSize(4)
        .allSatisfy(kept -> assertThat(kept).contains(BootedApplication.SCOPE, "remote_apply"));
    assertThat(ledger.sql().select(WORKER).from("operation").fetchSet(WORKER))
        .containsExactly("booted");
    // the second effect's answer was lost: the reconciler bean was asked, the counters' bean heard
    assertThat(seen.asked).hasSize(1);
    assertThat(context.getBean(HoldfastCounters.class).reconciled()).isEqualTo(1);

    assertThat(deliver()).isEqualTo(new Delivered.SetAside());
    assertThat(seen.warnings).hasSize(1);
  }

  /** By the builder of the context, its verifier bean and its listener bean. */
  private Delivered deliver() {
    SignedMessage message =
        SignedMessage.request(
            "POST", URI.create("https://worker.example/hook"), Map.of(), "x".getBytes(UTF_8));
    return context
        .getBean(Holdfast.Builder.class)
        .buildDeliveries(ExportWorkflow.Exports.class, GlobalDataConverter.get())
        .accept(message, body -> "delivered");
  }

  private String run(String key, String workflowId) {
    return context
        .getBean(WorkflowClient.class)
        .newWorkflowStub(
            ExportWorkflow.class,
            WorkflowOptions.newBuilder()
                .setTaskQueue(ExportWorkflow.QUEUE)
                .setWorkflowId(workflowId)
                .setWorkflowRunTimeout(Duration.ofSeconds(30))
                .build())
        .run(key, "report");
  }
}
