package dev.holdfast.workflows.internal;

import com.google.protobuf.ByteString;
import dev.holdfast.OperationRef;
import io.temporal.api.common.v1.Payload;
import java.io.IOException;
import java.util.Optional;

/**
 * What a result payload carries besides the value, in one entry of its metadata. Written before the
 * codec encodes the payload, read after it has decoded it.
 *
 * @param ref the completed operation
 * @param replayed whether the value came from a receipt instead of an effect of this execution
 */
public record ResultMetadata(OperationRef ref, boolean replayed) {
  /** Name of the metadata entry. */
  public static final String NAME = "holdfast-ref";

  /** The payload with this entry; value, encoding and other entries stay. */
  public Payload writeTo(Payload payload) {
    return payload.toBuilder().putMetadata(NAME, Wire.write(this)).build();
  }

  /** The entry of a payload, where it has one that can be read. */
  public static Optional<ResultMetadata> readFrom(Payload payload) {
    ByteString entry = payload.getMetadataMap().get(NAME);
    if (entry == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Wire.read(entry, ResultMetadata.class));
    } catch (IOException e) {
      // a newer worker's form: the look-up brings the reference instead
      return Optional.empty();
    }
  }
}
