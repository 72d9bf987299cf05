package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import com.google.protobuf.InvalidProtocolBufferException;
import io.temporal.api.common.v1.Payload;
import java.util.Base64;

/**
 * A payload as the ledger keeps it: encoded by the worker's converter and codec, serialised as
 * protobuf.
 *
 * @param base64 the serialised payload (RFC 4648, section 4)
 */
public record StoredPayload(@JsonValue String base64) {
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public StoredPayload {}

  /** Wraps the bytes of a serialised payload. */
  public static StoredPayload ofBytes(byte[] payload) {
    return new StoredPayload(Base64.getEncoder().encodeToString(payload));
  }

  /** The payload, still encoded by the codec. */
  Payload payload() throws InvalidProtocolBufferException {
    return Payload.parseFrom(Base64.getDecoder().decode(base64));
  }
}
