package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static dev.holdfast.UpstreamContract.OPAQUE;
import static dev.holdfast.UpstreamContract.SAME_TRANSACTION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UnprotectableWorkflows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.DynamicActivity;
import io.temporal.common.converter.EncodedValues;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What cannot be protected is refused, at the start where it shows there, else before the claim.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnprotectableTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();

  UnprotectableTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** Declares what cannot be kept. */
  @ActivityInterface
  public interface Opaque {
    @Fenced(upstream = OPAQUE)
    String opaque(@OperationKey String key);
  }

  /** Declares what cannot be kept. */
  @ActivityInterface
  public interface Attested {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", evidence = EvidenceRule.ATTESTED)
    String attested(@OperationKey String key);
  }

  /** Declares what cannot be kept. */
  @ActivityInterface
  public interface ShortLived {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT20S")
    String shortLived(@OperationKey String key);
  }

  /** Declares what cannot be kept. */
  @ActivityInterface
  public interface Negative {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "-PT1H")
    String negative(@OperationKey String key);
  }

  /** Declares what cannot be kept. */
  @ActivityInterface
  public interface NoDuration {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "one day")
    String noDuration(@OperationKey String key);
  }

  /** Declares what cannot be kept. */
  @ActivityInterface
  public interface ByResultInTransaction {
    @Fenced(upstream = SAME_TRANSACTION, evidence = EvidenceRule.RESULT)
    String byResult(@OperationKey String key);
  }

  private static final class Implementation
      implements Opaque, Attested, ShortLived, Negative, NoDuration, ByResultInTransaction {
    @Override
    public String opaque(String key) {
      return key;
    }

    @Override
    public String attested(String key) {
      return key;
    }

    @Override
    public String shortLived(String key) {
      return key;
    }

    @Override
    public String negative(String key) {
      return key;
    }

    @Override
    public String noDuration(String key) {
      return key;
    }

    @Override
    public String byResult(String key) {
      return key;
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        Opaque.class,
        Attested.class,
        ShortLived.class,
        Negative.class,
        NoDuration.class,
        ByResultInTransaction.class
      })
  void a_worker_that_could_not_keep_a_declaration_does_not_start(Class<?> declared) {
    Object activity =
        Proxy.newProxyInstance(
            declared.getClassLoader(),
            new Class<?>[] {declared},
            (proxy, method, arguments) -> method.invoke(new Implementation(), arguments));

    assertThatThrownBy(() -> bed.start(WorkerBed.plugin(ledger.dataSource()), activity))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(declared.getSimpleName())
        .message()
        .satisfiesAnyOf(
            message -> assertThat(message).contains("addEvidenceVerifier"),
            message -> assertThat(message).contains("keyHorizon"),
            message -> assertThat(message).contains("declare inFlight"),
            message -> assertThat(message).contains("leave the evidence out"));
  }

  @Test
  void a_local_activity_is_refused_before_the_claim() {
    Upstream upstream = new Upstream();
    bed.start(
        WorkerBed.plugin(ledger.dataSource()), EffectActivities.of(r -> upstream.dispatch("x")));

    ApplicationFailure failure =
        Failures.of(
            () -> bed.workflow(UnprotectableWorkflows.Local.class).callLocally("local", "x"));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(rows.state("local")).isEqualTo("none");
    assertThat(upstream.requests()).isZero();
  }

  @Test
  void a_dynamic_activity_in_place_of_a_fenced_one_is_refused() {
    AtomicInteger runs = new AtomicInteger();
    DynamicActivity dynamic = arguments -> "did " + runs.incrementAndGet();
    bed.startApart(ledger.dataSource(), dynamic);

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once("dynamic", "x")));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("dynamic");
    assertThat(runs).hasValue(0);
    assertThat(bed.workflow(UntypedWorkflow.class).call("Unfenced", "dynamic", "x", 1))
        .isEqualTo("did 1");
  }

  /** Marked where nothing can read what the effect needs. */
  private static final class MarkedDynamic implements DynamicActivity {
    @Override
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    public @Nullable Object execute(EncodedValues arguments) {
      return null;
    }
  }

  @Test
  void a_worker_whose_dynamic_activity_is_marked_does_not_start() {
    assertThatThrownBy(() -> bed.start(WorkerBed.plugin(ledger.dataSource()), new MarkedDynamic()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("MarkedDynamic")
        .hasMessageContaining("no activity interface");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void completing_elsewhere_is_refused(boolean manually) {
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(
            request -> {
              if (manually) {
                var unused = Activity.getExecutionContext().useLocalManualCompletion();
              } else {
                Activity.getExecutionContext().doNotCompleteOnReturn();
              }
              return null;
            }));
    String key = "elsewhere " + manually;

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", key, "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(rows.state(key)).isEqualTo("unknown, 0 open");
  }
}
