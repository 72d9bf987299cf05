package dev.holdfast.activities;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.ResultsWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.api.common.v1.Payload;
import io.temporal.client.WorkflowClientOptions;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.payload.codec.PayloadCodec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every kind of result comes back from its receipt as it came from the effect. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResultsTest {
  private static final List<String> RESULTS =
      List.of("void", "null", "<>", "42", "Optional.empty", "[]", "[1, 0, -1]", "3", "[]", "c");

  private final EmbeddedLedger ledger;

  ResultsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  // cases B1, A14
  @Test
  void results_of_every_kind_are_replayed_as_they_were() {
    try (WorkerBed bed = new WorkerBed()) {
      replaysAll(bed, "plain");
    }
  }

  // cases B1, A14
  @Test
  void the_same_through_a_codec_that_also_covers_the_ledger() {
    WorkflowClientOptions client =
        WorkflowClientOptions.newBuilder()
            .setDataConverter(
                new CodecDataConverter(
                    DefaultDataConverter.newDefaultInstance(), List.of(new Inverted())))
            .build();
    try (WorkerBed bed = new WorkerBed(client)) {
      replaysAll(bed, "coded");
    }

    assertThat(
            ledger.sql().fetch("select result from operation where operation_id = 'Items:coded'"))
        .singleElement()
        .satisfies(
            row ->
                assertThat(new String(row.get(0, byte[].class), StandardCharsets.ISO_8859_1))
                    .doesNotContain("count"));
  }

  private void replaysAll(WorkerBed bed, String key) {
    Upstream upstream = new Upstream();
    OperationRows rows = new OperationRows(ledger);
    int before = rows.receipts();
    bed.start(WorkerBed.plugin(ledger.pool(3)), new ResultsWorkflow.ResultsImpl(upstream));

    List<String> first = bed.workflow(ResultsWorkflow.class).run(key);
    List<String> second = bed.workflow(ResultsWorkflow.class).run(key);

    assertThat(first).isEqualTo(RESULTS);
    assertThat(second).isEqualTo(RESULTS);
    assertThat(upstream.requests()).isEqualTo(RESULTS.size());
    assertThat(rows.receipts() - before).isEqualTo(RESULTS.size());
  }

  /** Turns every bit round, so that nothing stays readable. */
  private static final class Inverted implements PayloadCodec {
    private static final ByteString ENCODING = ByteString.copyFromUtf8("binary/inverted");

    @Override
    public List<Payload> encode(List<Payload> payloads) {
      return payloads.stream()
          .map(
              payload ->
                  Payload.newBuilder()
                      .putMetadata("encoding", ENCODING)
                      .setData(inverted(payload.toByteString()))
                      .build())
          .toList();
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      return payloads.stream().map(Inverted::decoded).toList();
    }

    private static Payload decoded(Payload payload) {
      if (!ENCODING.equals(payload.getMetadataMap().get("encoding"))) {
        return payload;
      }
      try {
        return Payload.parseFrom(inverted(payload.getData()));
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      }
    }

    private static ByteString inverted(ByteString bytes) {
      byte[] all = bytes.toByteArray();
      for (int i = 0; i < all.length; i++) {
        all[i] = (byte) ~all[i];
      }
      return ByteString.copyFrom(all);
    }
  }
}
