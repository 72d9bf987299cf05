package dev.holdfast.spring;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static dev.holdfast.UpstreamContract.VERIFIABLE;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.Fenced;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Inquiry;
import dev.holdfast.activities.Reconciled;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.activities.evidence.Attestation;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.KeyId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.QuarantineListener;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.Tuple;
import io.temporal.spring.boot.ActivityImpl;
import io.temporal.spring.boot.TemporalOptionsCustomizer;
import io.temporal.testing.TestEnvironmentOptions;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** An application of Boot and Temporal whose activities are beans behind proxies. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@EnableTransactionManagement(proxyTargetClass = true)
@Import(BootedApplication.NoticeBean.class)
class BootedApplication {
  static final String SCOPE = "tenant-7";

  /** What reached the upstreams, and what was heard of it. */
  static final class Seen {
    final List<String> sent = new CopyOnWriteArrayList<>();
    final List<Inquiry> asked = new CopyOnWriteArrayList<>();
    final List<QuarantineWarning> warnings = new CopyOnWriteArrayList<>();
    volatile Runnable duringExport = () -> {};
  }

  @Bean
  Seen seen() {
    return new Seen();
  }

  @Bean
  ExportBean exports(Seen seen) {
    return new ExportBean(seen);
  }

  @Bean
  ShareBean shares(Seen seen) {
    return new ShareBean(seen);
  }

  /** Puts the third activity behind a proxy of its interface alone. */
  @Bean
  static BeanPostProcessor interfacesAlone() {
    return new BeanPostProcessor() {
      @Override
      public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof NoticeBean) {
          ProxyFactory proxies = new ProxyFactory(bean);
          proxies.setProxyTargetClass(false);
          return proxies.getProxy();
        }
        return bean;
      }
    };
  }

  @Bean
  ShareReconciler shareReconciler(Seen seen) {
    return new ShareReconciler(seen);
  }

  /** Says of any message that it speaks of the export in another execution. */
  @Bean
  @ForActivities(ExportWorkflow.Exports.class)
  EvidenceVerifier exportVerifier() {
    Tuple other =
        new Tuple(
            new Scope(SCOPE),
            new OperationId("Export", "once"),
            new RequestFingerprint("fp1", Sha256.ofUtf8("another request")),
            new Generation(0),
            new Epoch(0));
    return message ->
        new Attestation.Attested(new KeyId("now"), new EffectTuple(other, ""), 201, Instant.now());
  }

  @Bean
  QuarantineListener quarantineListener(Seen seen) {
    return seen.warnings::add;
  }

  @Bean
  PlatformTransactionManager transactions(DataSource dataSource) {
    return new DataSourceTransactionManager(dataSource);
  }

  @Bean
  TemporalOptionsCustomizer<TestEnvironmentOptions.Builder> realTime() {
    return options -> options.setUseTimeskipping(false);
  }

  /** The first effect, within a transaction of the application's own. */
  @ActivityImpl(taskQueues = ExportWorkflow.QUEUE)
  static class ExportBean implements ExportWorkflow.Exports {
    private final Seen seen;

    ExportBean(Seen seen) {
      this.seen = seen;
    }

    @Override
    @Transactional
    public String export(String id, String title) {
      String aspect = TransactionSynchronizationManager.isActualTransactionActive() ? "in" : "no";
      String document = dispatch(seen, title + " " + aspect + " transaction");
      seen.duringExport.run();
      return document;
    }
  }

  /** The second effect; its answer is lost the first time. */
  @ActivityImpl(taskQueues = ExportWorkflow.QUEUE)
  static class ShareBean implements ExportWorkflow.Shares {
    private final Seen seen;

    ShareBean(Seen seen) {
      this.seen = seen;
    }

    @Override
    @Transactional
    @Fenced(upstream = VERIFIABLE)
    public String share(@OperationKey String id, String document) {
      String unused = dispatch(seen, "share of " + document);
      throw new IllegalStateException("the answer was lost");
    }
  }

  /** The third effect, once for each workflow: only the workflow side knows which one calls. */
  @ActivityImpl(taskQueues = ExportWorkflow.QUEUE)
  static class NoticeBean implements ExportWorkflow.Notices {
    private final Seen seen;

    NoticeBean(Seen seen) {
      this.seen = seen;
    }

    @Override
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", keyScope = KeyScope.WORKFLOW)
    public String tell(@OperationKey String id, String link) {
      return dispatch(seen, "notice of " + link);
    }
  }

  /** Asks the second upstream. */
  @ForActivities(ExportWorkflow.Shares.class)
  record ShareReconciler(Seen seen) implements Reconciles<String> {
    @Override
    public Reconciled<String> reconcile(Inquiry inquiry) {
      seen.asked.add(inquiry);
      return Reconciled.happened("found", 200, "found".getBytes(UTF_8));
    }

    @Override
    public boolean upstreamFences() {
      return true;
    }
  }

  private static String dispatch(Seen seen, String what) {
    return FencedEffect.current()
        .dispatch(
            key -> {
              seen.sent.add(what);
              return what;
            },
            Evidence.of(answer -> 200, answer -> answer.getBytes(UTF_8)));
  }
}
