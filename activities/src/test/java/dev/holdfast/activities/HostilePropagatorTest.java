package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.api.common.v1.Payload;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.context.ContextPropagator;
import io.temporal.failure.ApplicationFailure;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A context propagator's headers override an interceptor's: that is noticed, and refused. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HostilePropagatorTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final Hostile propagator = new Hostile();
  private final WorkerBed bed =
      new WorkerBed(
          WorkflowClientOptions.newBuilder().setContextPropagators(List.of(propagator)).build());
  private final Upstream upstream = new Upstream();

  HostilePropagatorTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** Hands on what it has seen of our headers, as one does that carries every header along. */
  private static final class Hostile implements ContextPropagator {
    private final Map<String, Payload> seen = new ConcurrentHashMap<>();
    private volatile UnaryOperator<Map<String, Payload>> sending = any -> Map.of();

    @Override
    public String getName() {
      return "hostile";
    }

    @Override
    public Map<String, Payload> serializeContext(Object context) {
      return sending.apply(seen);
    }

    @Override
    public Object deserializeContext(Map<String, Payload> header) {
      header.forEach(
          (name, value) -> {
            if (name.startsWith("holdfast-")) {
              seen.put(name, value);
            }
          });
      return header;
    }

    @Override
    public Object getCurrentContext() {
      return "context";
    }

    @Override
    public void setCurrentContext(Object context) {}
  }

  private void startWithOneEffect(String key) {
    bed.startApart(
        ledger.dataSource(), EffectActivities.of(request -> upstream.dispatch("" + request)));
    assertThat(bed.workflow(CallWorkflow.class).call(Call.once(key, "x"))).isEqualTo("did x");
    assertThat(propagator.seen).hasSize(2);
  }

  private void assertRefused(String key, ApplicationFailure failure) {
    assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.getDetails().get(0, String.class)).isEqualTo("header");
    assertThat(failure.getOriginalMessage()).contains("holdfast-operation", "a context propagator");
    assertThat(rows.state(key)).isEqualTo("none");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  private ApplicationFailure called(String key) {
    return Failures.of(
        () -> bed.workflow(CallWorkflow.class).call(Call.once(key, "x").attempts(3)));
  }

  @Test
  void one_that_carries_headers_along_is_refused() {
    startWithOneEffect("seen");
    propagator.sending = Map::copyOf;

    assertRefused("carried", called("carried"));
  }

  @Test
  void one_that_puts_another_header_in_the_place_of_ours_is_refused() {
    startWithOneEffect("seen too");
    Payload odd = Payload.newBuilder().setData(ByteString.copyFromUtf8("{}")).build();
    propagator.sending = any -> Map.of("holdfast-operation", odd);

    assertRefused("replaced", called("replaced"));
  }

  @Test
  void one_that_carries_them_to_a_call_without_any_is_refused_in_another_workflow() {
    startWithOneEffect("shared");
    propagator.sending = Map::copyOf;

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", "shared", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.INVALID_OPERATION);
    assertThat(failure.getOriginalMessage()).contains("made by another workflow");
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
