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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * What the workflow side tells the worker about an operation. Headers are not encoded by payload
 * codecs, so the key goes as its digest; the worker takes the key from its own arguments.
 *
 * <p>A context propagator overrides headers of the same name, but cannot take one away: a second
 * entry, whose name is the digest of the first, shows that one was overridden.
 *
 * @param keySha256 64 lower-case hexadecimal digits of the key's SHA-256
 * @param fetches whether the workflow knows that it is completed, and wants the stored result
 */
public record OperationHeader(
    Scope scope,
    String operationType,
    String keySha256,
    RequestFingerprint fingerprint,
    Generation generation,
    WorkflowOrigin origin,
    boolean fetches) {
  /** Name of the header. */
  public static final String NAME = "holdfast-operation";

  private static final String SEAL = "holdfast-seal-";

  private static final ByteString EMPTY = ByteString.copyFromUtf8("{}");
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

  /** The header of this operation, for a call that may dispatch. */
  public static OperationHeader of(
      Scope scope,
      OperationId operation,
      RequestFingerprint fingerprint,
      Generation generation,
      WorkflowOrigin origin) {
    String digest = Sha256.ofUtf8(operation.key());
    return new OperationHeader(
        scope, operation.type(), digest, fingerprint, generation, origin, false);
  }

  /** The same for a call that fetches the stored result. */
  OperationHeader fetching() {
    return new OperationHeader(
        scope, operationType, keySha256, fingerprint, generation, origin, true);
  }

  /**
   * The header that came with an activity, where the workflow side sent one.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: it cannot be read, or
   *     is not the one that was sent
   */
  public static Optional<OperationHeader> readFrom(Header header) {
    Map<String, Payload> values = header.getValues();
    List<String> seals = values.keySet().stream().filter(name -> name.startsWith(SEAL)).toList();
    Payload payload = values.get(NAME);
    if (payload == null && seals.isEmpty()) {
      return Optional.empty();
    }
    if (payload == null || !seals.equals(List.of(seal(payload)))) {
      throw HoldfastFailures.invalidOperation(
          "header",
          "the header "
              + NAME
              + " is not the one that the workflow side sent: a context propagator overrides it");
    }
    return Optional.of(read(payload));
  }

  private static OperationHeader read(Payload payload) {
    try {
      OperationHeader sent = Wire.read(payload.getData(), OperationHeader.class);
      if (sent == null) {
        throw unreadable("null");
      }
      return sent;
    } catch (IOException e) {
      throw unreadable(e.getClass().getSimpleName());
    }
  }

  private static ApplicationFailure unreadable(String why) {
    return HoldfastFailures.invalidOperation(
        "header", "the header " + NAME + " cannot be read: " + why);
  }

  /** The entries of the header on the wire: the operation, and its seal. */
  public Map<String, Payload> entries() {
    return sealed(payload(Wire.write(this)));
  }

  static Map<String, Payload> sealed(Payload payload) {
    return Map.of(NAME, payload, seal(payload), payload(EMPTY));
  }

  private static Payload payload(ByteString json) {
    return Payload.newBuilder().putMetadata("encoding", ENCODING).setData(json).build();
  }

  private static String seal(Payload payload) {
    return SEAL + Sha256.of(payload.getData().toByteArray());
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
