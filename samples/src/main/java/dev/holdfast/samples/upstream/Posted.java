package dev.holdfast.samples.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request for an effect as it came over the wire. */
record Posted(
    IdempotencyKey key, @Nullable PresentedToken token, String bodyDigest, FlatJson body) {

  private static final int MAX_BODY = 1 << 20;

  /**
   * @throws IllegalArgumentException if the request is not one: its message may be answered
   */
  static Posted read(HttpExchange exchange) throws IOException {
    // read first: a connection closed on an unread body is reset, which hides the answer
    byte[] body = exchange.getRequestBody().readNBytes(MAX_BODY + 1);
    if (body.length > MAX_BODY) {
      throw new IllegalArgumentException("the body is larger than " + MAX_BODY + " bytes");
    }
    String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    if (key == null) {
      throw new IllegalArgumentException("the header Idempotency-Key is missing");
    }
    return new Posted(
        new IdempotencyKey(key),
        token(exchange.getRequestHeaders().getFirst("Fencing-Token")),
        ContentDigest.of(body),
        FlatJson.parse(new String(body, UTF_8)));
  }

  private static @Nullable PresentedToken token(@Nullable String header) {
    return header == null ? null : new PresentedToken(Long.parseLong(header));
  }
}
