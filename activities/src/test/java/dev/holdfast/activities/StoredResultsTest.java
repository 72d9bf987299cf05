package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.bed.AesGcm;
import dev.holdfast.activities.bed.CallWorkflow;
import dev.holdfast.activities.bed.CallWorkflow.Call;
import dev.holdfast.activities.bed.EffectActivities;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.ReportVersions;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.RawValue;
import io.temporal.failure.ApplicationFailure;
import io.temporal.payload.codec.PayloadCodec;
import io.temporal.payload.codec.PayloadCodecException;
import java.lang.reflect.Type;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the ledger keeps of a result, and who can still read it when keys and classes change. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoredResultsTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  StoredResultsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  private WorkerBed.Side side(String queue, DataConverter converter) {
    return bed.side(
        queue,
        converter,
        ledger.dataSource(),
        CallWorkflow.Impl.class,
        EffectActivities.of(request -> upstream.dispatch("S3CR3T-7f")));
  }

  private static @Nullable String call(WorkerBed.Side side, String key) {
    return side.workflow(CallWorkflow.class).call(Call.once(key, "x").attempts(3));
  }

  // case A17
  @Test
  void what_was_encrypted_with_an_older_key_is_replayed_as_long_as_that_key_is_kept()
      throws Exception {
    WorkerBed.Side before = side("before", AesGcm.converter("k1"));
    WorkerBed.Side rotated = side("rotated", AesGcm.converter("k2", "k1"));
    WorkerBed.Side removed = side("removed", AesGcm.converter("k2"));

    assertThat(call(before, "kept")).isEqualTo("did S3CR3T-7f");
    Payload stored = stored("Effect:kept");
    assertThat(stored.getMetadataOrThrow(AesGcm.KEY_ID).toStringUtf8()).isEqualTo("k1");
    assertThat(stored.toByteString().toString(StandardCharsets.ISO_8859_1))
        .doesNotContain("S3CR3T-7f");

    assertThat(call(rotated, "kept")).isEqualTo("did S3CR3T-7f");
    assertThat(stored("Effect:kept")).isEqualTo(stored);

    refused(() -> call(removed, "kept"));
    assertThat(rows.state("kept")).isEqualTo("completed, 0 open");
  }

  private void refused(ThrowingCallable call) {
    ApplicationFailure failure = Failures.of(call);

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.REPLAY_UNDECODABLE);
    assertThat(failure.isNonRetryable()).isTrue();
    assertThat(failure.toString()).doesNotContain("S3CR3T-7f");
    assertThat(upstream.requests()).as("nothing ran again").isEqualTo(1);
  }

  private Payload stored(String operation) throws Exception {
    byte[] result =
        ledger
            .sql()
            .fetchSingle("select result from operation where operation_id = ?", operation)
            .get(0, byte[].class);
    return Payload.parseFrom(Objects.requireNonNull(result));
  }

  /** A codec whose server is away for that many decodings of a result. */
  private record Away(AtomicInteger times) implements PayloadCodec {
    @Override
    public List<Payload> encode(List<Payload> payloads) {
      return payloads;
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      if (payloads.toString().contains("did ") && times.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
        throw new PayloadCodecException(new ConnectException("away"));
      }
      return payloads;
    }
  }

  @Test
  void a_codec_that_is_out_of_reach_for_a_moment_only_delays_the_replay() {
    AtomicInteger times = new AtomicInteger();
    WorkerBed.Side side =
        side(
            "away",
            new CodecDataConverter(
                DefaultDataConverter.newDefaultInstance(), List.of(new Away(times))));
    assertThat(call(side, "away")).isEqualTo("did S3CR3T-7f");

    // each attempt of the activity once, and the look of the workflow side
    times.set(4);

    assertThat(call(side, "away")).isEqualTo("did S3CR3T-7f");
    assertThat(times).hasValue(0);
    assertThat(upstream.requests()).isEqualTo(1);
  }

  /** Makes JSON of whatever it is given, payloads too. */
  private record Blind(DataConverter inner) implements DataConverter {
    @Override
    public <T> Optional<Payload> toPayload(@Nullable T value) {
      return inner.toPayload(value instanceof RawValue ? "raw" : value);
    }

    @Override
    public <T> T fromPayload(Payload payload, Class<T> type, Type genericType) {
      return inner.fromPayload(payload, type, genericType);
    }

    @Override
    public Optional<Payloads> toPayloads(@Nullable Object... values) {
      return inner.toPayloads(values);
    }

    @Override
    public <T> T fromPayloads(
        int index, Optional<Payloads> content, Class<T> type, Type genericType) {
      return inner.fromPayloads(index, content, type, genericType);
    }
  }

  @Test
  void a_converter_that_lets_no_raw_value_through_is_refused_before_the_claim() {
    WorkerBed.Side side = side("blind", new Blind(DefaultDataConverter.newDefaultInstance()));

    ApplicationFailure failure = Failures.of(() -> call(side, "blind"));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.getOriginalMessage()).contains("RawValue");
    assertThat(rows.state("blind")).isEqualTo("none");
    assertThat(upstream.requests()).isZero();
  }

  // case A17
  @Test
  void a_result_of_an_older_class_is_replayed_in_a_newer_one_that_can_read_it() {
    WorkerBed.Side side = reports(ReportVersions.first(upstream));
    assertThat(report(side, 1, "widened")).isEqualTo("Report[title=did it]");

    WorkerBed.Side newer = reports(ReportVersions.withAuthor(upstream));

    assertThat(report(newer, 2, "widened")).isEqualTo("Report[title=did it, author=null]");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case A17
  @Test
  void and_fails_by_name_in_one_that_cannot() {
    WorkerBed.Side side = reports(ReportVersions.first(upstream));
    assertThat(report(side, 1, "changed")).isEqualTo("Report[title=did it]");

    WorkerBed.Side newer = reports(ReportVersions.withPages(upstream));

    refused(() -> report(newer, 3, "changed"));
  }

  private WorkerBed.Side reports(Object activity) {
    return bed.side(
        activity.getClass().getSimpleName(),
        DefaultDataConverter.newDefaultInstance(),
        ledger.dataSource(),
        ReportVersions.Impl.class,
        activity);
  }

  private static String report(WorkerBed.Side side, int version, String key) {
    return side.workflow(ReportVersions.class).report(version, key);
  }
}
