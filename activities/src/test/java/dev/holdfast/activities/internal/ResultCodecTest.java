package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.EffectId;
import dev.holdfast.Epoch;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.LedgerIncarnation;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.ReceiptNumber;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import dev.holdfast.ledger.StoredResult;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.RawValue;
import io.temporal.failure.ApplicationFailure;
import io.temporal.payload.codec.PayloadCodec;
import io.temporal.payload.codec.PayloadCodecException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ResultCodecTest {
  private static final DataConverter PLAIN = DefaultDataConverter.newDefaultInstance();
  private static final OperationRef REF =
      new OperationRef(
          new Scope("tenant"),
          new OperationId("BookSeats", "b-1"),
          new RequestFingerprint("fp1", "ab".repeat(32)),
          new Generation(0),
          new Epoch(0),
          new EffectId("hf1-effect"),
          new ReceiptNumber(1),
          new LedgerIncarnation(7_400_000_000_000_000_001L, 1));

  /** As a codec whose server cannot be reached. */
  private static final class Unreachable implements PayloadCodec {
    @Override
    public List<Payload> encode(List<Payload> payloads) {
      throw new IllegalStateException("unreachable");
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      throw new IllegalStateException("unreachable");
    }
  }

  /** As a codec whose class cannot be loaded whole, or whose recursion is too deep. */
  private record Broken(Error error) implements PayloadCodec {
    @Override
    public List<Payload> encode(List<Payload> payloads) {
      throw error;
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      throw error;
    }
  }

  static Stream<Error> errors() {
    return Stream.of(
        new StackOverflowError(), new NoClassDefFoundError(), new ExceptionInInitializerError());
  }

  @ParameterizedTest
  @MethodSource("errors")
  void and_when_its_codec_ends_with_an_error(Error error) {
    ResultCodec codec = codec(new CodecDataConverter(PLAIN, List.of(new Broken(error))));

    assertThat(codec.keep("done")).isInstanceOf(StoredResult.NotStored.class);
    assertThat(codec.witnessed("done")).isNotEmpty();
  }

  private static ResultCodec codec(DataConverter converter) {
    return new ResultCodec(converter, OpenEffect.method("export").method());
  }

  @Test
  void a_done_effect_keeps_its_receipt_when_no_codec_can_be_reached() {
    ResultCodec codec = codec(new CodecDataConverter(PLAIN, List.of(new Unreachable())));

    assertThat(codec.keep("done")).isInstanceOf(StoredResult.NotStored.class);
    assertThat(codec.witnessed("done")).isNotEmpty();
  }

  @Test
  void a_result_too_big_to_be_stored_is_witnessed_all_the_same() {
    String big = "r".repeat(3 * 1024 * 1024);

    assertThat(codec(PLAIN).keep(big)).isInstanceOf(StoredResult.NotStored.class);
    assertThat(codec(PLAIN).witnessed(big)).isEqualTo(('"' + big + '"').getBytes(UTF_8));
  }

  /** As a codec whose server does not answer, or which misses a key. */
  private record Failing(RuntimeException failure) implements PayloadCodec {
    @Override
    public List<Payload> encode(List<Payload> payloads) {
      return payloads;
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      throw failure;
    }
  }

  private static @Nullable Throwable replayed(RuntimeException failure) {
    StoredResult stored = codec(PLAIN).keep("done");
    ResultCodec codec = codec(new CodecDataConverter(PLAIN, List.of(new Failing(failure))));
    return catchThrowable(() -> codec.output(stored, REF, true));
  }

  @Test
  void a_network_that_fails_is_no_reason_to_give_a_replay_up() {
    List<RuntimeException> outages =
        List.of(
            new PayloadCodecException(new ConnectException("refused")),
            new UncheckedIOException(new SocketTimeoutException()),
            new PayloadCodecException(new IOException(new UnknownHostException("codec"))),
            new IllegalStateException(new HttpTimeoutException("slow")),
            new CompletionException(new TimeoutException()));

    assertThat(outages).allSatisfy(outage -> assertThat(replayed(outage)).isSameAs(outage));
  }

  @Test
  void what_else_a_codec_says_is_final() {
    List<RuntimeException> failures =
        List.of(
            new PayloadCodecException("the key was removed"),
            // broken bytes are no network
            new UncheckedIOException(new ZipException("not in GZIP format")));

    assertThat(failures)
        .allSatisfy(
            failure ->
                assertThat(replayed(failure))
                    .isInstanceOfSatisfying(
                        ApplicationFailure.class,
                        told -> {
                          assertThat(told.getType()).isEqualTo(HoldfastFailures.REPLAY_UNDECODABLE);
                          assertThat(told.isNonRetryable()).isTrue();
                        }));
  }

  /** Sends everything twice, as an encoding in base 64 nearly does. */
  private static final class Doubling implements PayloadCodec {
    @Override
    public List<Payload> encode(List<Payload> payloads) {
      return payloads.stream()
          .map(plain -> plain.toBuilder().setData(plain.getData().concat(plain.getData())).build())
          .toList();
    }

    @Override
    public List<Payload> decode(List<Payload> payloads) {
      return payloads.stream()
          .map(
              twice ->
                  twice.toBuilder()
                      .setData(twice.getData().substring(twice.getData().size() / 2))
                      .build())
          .toList();
    }
  }

  @Test
  void the_limit_is_measured_after_the_codec() {
    String fits = "r".repeat(1_200_000);
    ResultCodec doubling = codec(new CodecDataConverter(PLAIN, List.of(new Doubling())));

    assertThat(codec(PLAIN).keep(fits)).isInstanceOf(StoredResult.Value.class);
    assertThat(doubling.keep(fits)).isInstanceOf(StoredResult.NotStored.class);
    assertThat(doubling.witnessed(fits)).isEqualTo(('"' + fits + '"').getBytes(UTF_8));
  }

  @Test
  void a_stored_null_is_no_primitive() {
    ResultCodec primitive = new ResultCodec(PLAIN, OpenEffect.method("bookSeats").method());

    assertThat(codec(PLAIN).output(new StoredResult.Null(), REF, true).getResult())
        .isInstanceOf(RawValue.class);
    assertThatThrownBy(() -> primitive.output(new StoredResult.Null(), REF, true))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(HoldfastFailures.REPLAY_UNDECODABLE);
              assertThat(failure.isNonRetryable()).isTrue();
            });
  }
}
