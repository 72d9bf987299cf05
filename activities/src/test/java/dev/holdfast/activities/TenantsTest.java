package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationScope;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Several tenants, each of whom counts its orders from one. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TenantsTest {
  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  TenantsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /** The activity. */
  @ActivityInterface
  public interface Orders {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String order(@OperationScope String tenant, @OperationKey String key, String goods);
  }

  /** Answers differently each time it is run. */
  private record OrdersImpl(Upstream upstream) implements Orders {
    @Override
    public String order(String tenant, String key, String goods) {
      return upstream.dispatch(goods + " as number " + (upstream.requests() + 1));
    }
  }

  /** The workflow. */
  @WorkflowInterface
  public interface Ordering {
    @WorkflowMethod
    String run(String tenant, String key, String goods);
  }

  /** Orders once. */
  public static final class OrderingImpl implements Ordering {
    @Override
    public String run(String tenant, String key, String goods) {
      return Workflow.newActivityStub(
              Orders.class,
              ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(30)).build())
          .order(tenant, key, goods);
    }
  }

  @BeforeEach
  void start() {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(WorkerBed.plugin(ledger.dataSource()))
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(OrderingImpl.class);
    worker.registerActivitiesImplementations(new OrdersImpl(upstream));
    factory.start();
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private String order(String tenant, String goods) {
    return bed.workflow(Ordering.class).run(tenant, "1", goods);
  }

  private Map<String, Sha256> fingerprints() {
    return ledger
        .sql()
        .select(OPERATION.SCOPE, OPERATION.FINGERPRINT_SHA256)
        .from(OPERATION)
        .fetchMap(OPERATION.SCOPE, row -> Sha256.ofDigest(row.value2()));
  }

  // case H3
  @Test
  void the_same_key_of_two_tenants_is_two_operations_and_neither_sees_the_other() {
    assertThat(order("T1", "paper")).isEqualTo("did paper as number 1");
    assertThat(order("T2", "paper")).isEqualTo("did paper as number 2");
    assertThat(order("T1", "paper")).isEqualTo("did paper as number 1");
    assertThat(order("T2", "paper")).isEqualTo("did paper as number 2");

    assertThat(upstream.requests()).isEqualTo(2);
    assertThat(upstream.effects()).as("under two keys of the upstream").isEqualTo(2);
    Map<String, Sha256> fingerprints = fingerprints();
    assertThat(fingerprints).containsOnlyKeys("T1", "T2");
    assertThat(fingerprints.get("T1")).isNotEqualTo(fingerprints.get("T2"));

    ApplicationFailure failure = Failures.of(() -> order("T2", "ink"));
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.FINGERPRINT_MISMATCH);
    assertThat(failure.toString()).doesNotContain("T1", "paper", "number 1", "number 2");
    assertThat(fingerprints()).isEqualTo(fingerprints);
    assertThat(upstream.requests()).isEqualTo(2);
  }
}
