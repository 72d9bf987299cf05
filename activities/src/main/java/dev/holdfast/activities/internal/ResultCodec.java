package dev.holdfast.activities.internal;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.OperationRef;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.workflows.internal.CodecOutage;
import dev.holdfast.workflows.internal.ResultMetadata;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.RawValue;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor.ActivityOutput;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Turns the results of one activity into what the ledger keeps, and back into what Temporal
 * carries. Kept is the payload that the worker's converter and codec made, so that encryption
 * covers the ledger; carried is the payload before the codec, with the reference in its metadata.
 */
final class ResultCodec {
  /** Temporal's limit of 2 MiB, less room for the reference, which grows under some codecs. */
  static final int LIMIT = 2 * 1024 * 1024 - 32 * 1024;

  private final DataConverter converter;
  private final Method method;

  /**
   * @param converter the worker's, in the context of this activity
   * @param method the activity's, for its return type
   */
  ResultCodec(DataConverter converter, Method method) {
    this.converter = converter;
    this.method = method;
  }

  /**
   * The result of an effect that is done: its receipt must not hang on its result, so one that
   * cannot be encoded, by a codec out of reach or with an {@code Error}, leaves only a digest.
   */
  StoredResult keep(@Nullable Object result) {
    try {
      return encode(result);
    } catch (Throwable e) {
      return new StoredResult.NotStored(Sha256.of(standIn(result)));
    }
  }

  /** The result as the ledger keeps it; one that Temporal cannot carry leaves only its digest. */
  StoredResult encode(@Nullable Object result) {
    if (method.getReturnType() == void.class) {
      return new StoredResult.NoValue();
    }
    if (result == null) {
      return new StoredResult.Null();
    }
    try {
      byte[] encoded = payload(result).toByteArray();
      return encoded.length > LIMIT
          ? new StoredResult.NotStored(Sha256.of(encoded))
          : new StoredResult.Value(encoded);
    } catch (DataConverterException e) {
      return new StoredResult.NotStored(Sha256.of(standIn(result)));
    }
  }

  /**
   * The bytes that stand for the response where the result itself is the evidence: those of its
   * payload before the codec, stored or not.
   */
  byte[] witnessed(@Nullable Object result) {
    if (result == null || method.getReturnType() == void.class) {
      return new byte[0];
    }
    try {
      return decoded(payload(result).toByteArray()).getData().toByteArray();
    } catch (Throwable e) {
      return standIn(result);
    }
  }

  /** Nothing can be said of a result without a payload but what it was. */
  private static byte[] standIn(@Nullable Object result) {
    String name = result == null ? "null" : result.getClass().getName();
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * What the activity returns to Temporal.
   *
   * @throws ApplicationFailure {@code ResultNotTransportable} or {@code ReplayUndecodable}; the
   *     receipt stands
   */
  ActivityOutput output(StoredResult stored, OperationRef ref, boolean replayed) {
    ResultMetadata metadata = new ResultMetadata(ref, replayed);
    return switch (stored) {
      case StoredResult.NoValue() -> new ActivityOutput(null);
      case StoredResult.Null() -> raw(nullPayload(ref), metadata);
      case StoredResult.Value(byte[] encoded) when replayed ->
          raw(readable(encoded, ref), metadata);
      case StoredResult.Value(byte[] encoded) -> raw(decoded(encoded), metadata);
      case StoredResult.NotStored(Sha256 digest) -> throw notTransportable(ref, digest);
    };
  }

  private static ActivityOutput raw(Payload payload, ResultMetadata metadata) {
    return new ActivityOutput(new RawValue(metadata.writeTo(payload)));
  }

  /** The payload before the codec; refused where this worker could not read it either. */
  private Payload readable(byte[] encoded, OperationRef ref) {
    try {
      Payload stored = parsed(encoded);
      var unused =
          converter.fromPayload(stored, method.getReturnType(), method.getGenericReturnType());
      return decoded(encoded);
    } catch (RuntimeException e) {
      if (CodecOutage.isBehind(e)) {
        throw e;
      }
      throw undecodable(ref, e.getClass().getSimpleName());
    }
  }

  private static ApplicationFailure undecodable(OperationRef ref, String code) {
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.REPLAY_UNDECODABLE,
        code,
        ref.operation().keyDigest(),
        "the stored result cannot be decoded by this worker: its codec's key or the result's"
            + " class changed; the effect is done and its receipt stands");
  }

  private static Payload parsed(byte[] encoded) {
    try {
      return Payload.parseFrom(encoded);
    } catch (InvalidProtocolBufferException e) {
      throw new DataConverterException(e);
    }
  }

  /** A raw value is decoded by the codec alone, whichever converter holds that. */
  private Payload decoded(byte[] encoded) {
    return converter.fromPayload(parsed(encoded), RawValue.class, RawValue.class).getPayload();
  }

  private Payload nullPayload(OperationRef ref) {
    if (!ResultTypes.fits(null, method)) {
      throw undecodable(ref, "null");
    }
    return decoded(payload(null).toByteArray());
  }

  private Payload payload(@Nullable Object value) {
    return converter
        .toPayload(value)
        .orElseThrow(() -> new DataConverterException("the converter made no payload"));
  }

  private static ApplicationFailure notTransportable(OperationRef ref, Sha256 digest) {
    KeyDigest key = ref.operation().keyDigest();
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.RESULT_NOT_TRANSPORTABLE,
        digest.shortHex(),
        key,
        "the effect is done and receipt "
            + ref.receipt()
            + " stands, but its result is too big for Temporal or cannot be serialized: return a"
            + " reference to it instead");
  }
}
