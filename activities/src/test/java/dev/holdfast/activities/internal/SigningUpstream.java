package dev.holdfast.activities.internal;

import com.sun.net.httpserver.HttpExchange;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.Signer;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;

/** Answers that sign, or pretend to sign, the tuple of the request that they answer. */
final class SigningUpstream {
  /** How a signed answer's fields are changed on their way. */
  interface Tampering extends UnaryOperator<Map<String, String>> {}

  private SigningUpstream() {}

  /** Signs what it was asked, as an honest upstream does. */
  static HttpUpstream.Answer signing(Signer signer, int status, byte[] body) {
    return tampered(signer, status, body, fields -> fields);
  }

  /** Signs what it was asked; then somebody changes the fields. */
  static HttpUpstream.Answer tampered(Signer signer, int status, byte[] body, Tampering tampering) {
    return exchange ->
        send(
            exchange,
            status,
            body,
            tampering.apply(signer.answer(status, asked(exchange), body, Instant.now())));
  }

  /** Signs another tuple than it was asked. */
  static HttpUpstream.Answer signingAnother(
      Signer signer, int status, byte[] body, String field, String value) {
    return exchange -> {
      Map<String, String> other = asked(exchange);
      other.put(field, value);
      send(exchange, status, body, signer.answer(status, other, body, Instant.now()));
    };
  }

  /** Sends the fields of the tuple back, and signs nothing. */
  static HttpUpstream.Answer echoing(int status, byte[] body) {
    return exchange -> send(exchange, status, body, asked(exchange));
  }

  /** The fields of the tuple as they came with the request. */
  static Map<String, String> asked(HttpExchange exchange) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String name : EffectTuple.fieldNames()) {
      fields.put(name, Objects.requireNonNull(exchange.getRequestHeaders().getFirst(name), name));
    }
    return fields;
  }

  static void send(HttpExchange exchange, int status, byte[] body, Map<String, String> fields)
      throws IOException {
    fields.forEach((name, value) -> exchange.getResponseHeaders().set(name, value));
    exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
  }
}
