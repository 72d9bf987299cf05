package dev.holdfast.samples.sharing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;

/** JSON over HTTP, as both upstreams speak it. */
final class Wire {
  private static final ObjectMapper JSON =
      new ObjectMapper().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private Wire() {}

  static HttpRequest post(URI target, Object body) {
    try {
      return HttpRequest.newBuilder(target)
          .header("Content-Type", "application/json")
          .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a request that is no JSON", e);
    }
  }

  static <T> T read(byte[] body, Class<T> type) {
    try {
      return JSON.readValue(body, type);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
