package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import java.io.IOException;

/**
 * Our own JSON for headers and metadata: never the user's mapper, whose naming and time settings
 * may differ between workers.
 */
final class Wire {
  private static final ObjectMapper MAPPER =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private Wire() {}

  static ByteString write(Object value) {
    try {
      return ByteString.copyFrom(MAPPER.writeValueAsBytes(value));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("cannot write " + value.getClass().getName(), e);
    }
  }

  static <T> T read(ByteString json, Class<T> type) throws IOException {
    return MAPPER.readValue(json.toByteArray(), type);
  }
}
