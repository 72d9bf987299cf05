package dev.holdfast.workflows.internal;

import com.google.protobuf.ByteString;
import dev.holdfast.Generation;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyDigest;
import dev.holdfast.OperationId;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.interceptors.Header;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;

/**
 * What the workflow side tells the worker about an operation. Headers are not encoded by payload
 * codecs, so the key goes as its digest; the worker takes the key from its own arguments.
 *
 * @param keySha256 64 lower-case hexadecimal digits of the key's SHA-256
 */
public record OperationHeader(
    Scope scope,
    String operationType,
    String keySha256,
    RequestFingerprint fingerprint,
    Generation generation,
    WorkflowOrigin origin) {
  /** Name of the header. */
  public static final String NAME = "holdfast-operation";

  private static final ByteString ENCODING = ByteString.copyFromUtf8("json/plain");

  /** Refuses what JSON left out. */
  public OperationHeader {
    Objects.requireNonNull(scope);
    Objects.requireNonNull(operationType);
    Objects.requireNonNull(keySha256);
    Objects.requireNonNull(fingerprint);
    Objects.requireNonNull(generation);
    Objects.requireNonNull(origin);
  }

  /** The header of this operation. */
  public static OperationHeader of(
      Scope scope,
      OperationId operation,
      RequestFingerprint fingerprint,
      Generation generation,
      WorkflowOrigin origin) {
    String digest = Sha256.ofUtf8(operation.key());
    return new OperationHeader(scope, operation.type(), digest, fingerprint, generation, origin);
  }

  /**
   * The header that came with an activity, where the workflow side sent one.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: it cannot be read
   */
  public static Optional<OperationHeader> readFrom(Header header) {
    Payload payload = header.getValues().get(NAME);
    if (payload == null) {
      return Optional.empty();
    }
    try {
      OperationHeader sent = Wire.read(payload.getData(), OperationHeader.class);
      if (sent == null) {
        throw unreadable("null");
      }
      return Optional.of(sent);
    } catch (IOException e) {
      throw unreadable(e.getClass().getSimpleName());
    }
  }

  private static ApplicationFailure unreadable(String why) {
    return HoldfastFailures.invalidOperation(
        "header", "the header " + NAME + " cannot be read: " + why);
  }

  /** The header's value on the wire. */
  public Payload toPayload() {
    return Payload.newBuilder().putMetadata("encoding", ENCODING).setData(Wire.write(this)).build();
  }

  /** All of the key that a failure shows. */
  public KeyDigest keyDigest() {
    return new KeyDigest(keySha256.substring(0, 12));
  }

  /** Whether the worker found the same operation in its own arguments. */
  public boolean names(OperationId operation) {
    return operationType.equals(operation.type())
        && keySha256.equals(Sha256.ofUtf8(operation.key()));
  }
}
