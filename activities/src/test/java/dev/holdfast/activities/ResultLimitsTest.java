package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
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
import io.temporal.activity.ActivityInterface;
import io.temporal.api.common.v1.Payload;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ApplicationFailure;
import io.temporal.payload.codec.PayloadCodec;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that Temporal cannot carry, or that a worker cannot read. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResultLimitsTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  ResultLimitsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  // case E5
  @ParameterizedTest
  @ValueSource(ints = {2 * 1024 * 1024, 5 * 1024 * 1024})
  void a_result_too_big_for_temporal_is_committed_and_told_once(int size) {
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(
            request -> {
              var unused = upstream.dispatch("x");
              return "r".repeat(size);
            }));
    String key = "big " + size;

    // 0: as often as Temporal likes
    ApplicationFailure first =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Effect", key, "x", 0));
    ApplicationFailure second =
        Failures.of(() -> bed.workflow(CallWorkflow.class).call(Call.once(key, "x")));

    assertThat(first.getType()).isEqualTo(HoldfastFailures.RESULT_NOT_TRANSPORTABLE);
    assertThat(first.isNonRetryable()).isTrue();
    assertThat(first.getOriginalMessage()).contains("receipt");
    assertThat(second.getType()).isEqualTo(HoldfastFailures.RESULT_NOT_TRANSPORTABLE);
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state(key)).isEqualTo("completed, 0 open");
  }

  @Test
  void a_large_result_that_fits_is_replayed_whole() {
    String large = "r".repeat(1_900_000);
    bed.startApart(
        ledger.dataSource(),
        EffectActivities.of(
            request -> {
              var unused = upstream.dispatch("x");
              return large;
            }));

    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("large", "x"))).isEqualTo(large);
    assertThat(bed.workflow(CallWorkflow.class).call(Call.once("large", "x"))).isEqualTo(large);
    assertThat(upstream.requests()).isEqualTo(1);
  }

  /** Jackson reads it by its getter, which throws. */
  @SuppressWarnings("DoNotCallSuggester")
  public static final class Unreadable {
    public String getText() {
      throw new IllegalStateException("S3CR3T-7f");
    }
  }

  /** Returns what no converter can write. */
  @ActivityInterface
  public interface Unserializable {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", operation = "Effect")
    Unreadable unserializable(@OperationKey String key, String request);
  }

  private record UnserializableImpl(Upstream upstream) implements Unserializable {
    @Override
    public Unreadable unserializable(String key, String request) {
      var unused = upstream.dispatch(request);
      return new Unreadable();
    }
  }

  @Test
  void a_result_that_cannot_be_serialized_is_committed_and_told_without_its_contents() {
    bed.startApart(ledger.dataSource(), new UnserializableImpl(upstream));

    ApplicationFailure failure =
        Failures.of(
            () -> bed.workflow(UntypedWorkflow.class).call("Unserializable", "bad", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.RESULT_NOT_TRANSPORTABLE);
    assertThat(failure.toString()).doesNotContain("S3CR3T-7f");
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("bad")).isEqualTo("completed, 0 open");
  }

  /** A codec that has lost its server when the effect is done. */
  private static final class Lost implements PayloadCodec {
    @Override
    public List<Payload> encode(List<Payload> payloads) {
      if (payloads.toString().contains("did x")) {
        throw new IllegalStateException("unreachable");
      }
      return payloads;
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      return payloads;
    }
  }

  @Test
  void a_codec_that_fails_does_not_cost_the_receipt() {
    WorkflowClientOptions client =
        WorkflowClientOptions.newBuilder()
            .setDataConverter(
                new CodecDataConverter(
                    DefaultDataConverter.newDefaultInstance(), List.of(new Lost())))
            .build();
    try (WorkerBed coded = new WorkerBed(client)) {
      coded.startApart(ledger.dataSource(), EffectActivities.of(r -> upstream.dispatch("x")));

      ApplicationFailure failure =
          Failures.of(
              () -> coded.workflow(UntypedWorkflow.class).call("Effect", "uncoded", "x", 3));

      assertThat(failure.getType()).isEqualTo(HoldfastFailures.RESULT_NOT_TRANSPORTABLE);
    }
    assertThat(upstream.requests()).isEqualTo(1);
    assertThat(rows.state("uncoded")).isEqualTo("completed, 0 open");
  }

  // case A17
  @Test
  void a_stored_result_that_this_worker_cannot_decode_is_told_and_nothing_runs_again() {
    bed.startApart(ledger.dataSource(), EffectActivities.of(r -> upstream.dispatch("x")));
    assertThat(bed.workflow(UntypedWorkflow.class).call("Effect", "undecodable", "x", 1))
        .isNotNull();
    // as if the codec that encoded it were gone
    ledger.sql().execute("alter table operation disable trigger user");
    ledger
        .sql()
        .execute(
            "update operation set result = '\\x0a05' where operation_id = 'Effect:undecodable'");
    ledger.sql().execute("alter table operation enable trigger user");

    ApplicationFailure failure =
        Failures.of(
            () -> bed.workflow(UntypedWorkflow.class).call("Effect", "undecodable", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.REPLAY_UNDECODABLE);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(upstream.requests()).isEqualTo(1);
  }
}
