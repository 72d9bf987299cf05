package dev.holdfast.samples.upstream;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;

/** A JSON answer and the digest it claims; sending it twice sends the same bytes, signed anew. */
record Answer(int status, String body, String digest) {

  static Answer of(int status, FlatJson body) {
    String text = body.text();
    return new Answer(status, text, ContentDigest.of(text.getBytes(UTF_8)));
  }

  static Answer problem(int status, String problem) {
    return of(status, FlatJson.of("status", status, "problem", problem));
  }

  /** The same bytes under the digest of other ones. */
  Answer lying() {
    return new Answer(status, body, ContentDigest.of((body + " ").getBytes(UTF_8)));
  }

  void send(HttpExchange exchange) throws IOException {
    byte[] bytes = body.getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("Content-Digest", digest);
    AnswerSignature.add(status, exchange.getRequestHeaders(), exchange.getResponseHeaders());
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }
}
