package dev.holdfast.samples.upstream;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.sun.net.httpserver.Headers;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Signs an answer (RFC 9421): its status, its digest, and what the customer asked to have signed,
 * the request's fields whose names begin with the customer's prefix. Made anew for each answer, a
 * kept one too, so that it says when.
 */
final class AnswerSignature {

  private static final String CUSTOMER = "holdfast-";

  private AnswerSignature() {}

  /** Adds the customer's fields and the signature; the digest must be there already. */
  static void add(int status, Headers request, Headers answer) {
    Map<String, String> covered = new LinkedHashMap<>();
    covered.put("@status", Integer.toString(status));
    covered.put("content-digest", answer.getFirst("Content-Digest"));
    customers(request)
        .forEach(
            (name, value) -> {
              answer.set(name, value);
              covered.put(name, value);
            });
    String parameters =
        covered.keySet().stream()
                .map(AnswerSignature::quoted)
                .collect(Collectors.joining(" ", "(", ")"))
            + ";created="
            + Instant.now().getEpochSecond()
            + ";keyid="
            + quoted(SigningKey.ID);
    answer.set("Signature-Input", "sig=" + parameters);
    answer.set("Signature", "sig=:" + base64(SigningKey.sign(base(covered, parameters))) + ":");
  }

  private static Map<String, String> customers(Headers request) {
    Map<String, String> fields = new TreeMap<>();
    request.forEach(
        (name, values) -> {
          String lower = name.toLowerCase(Locale.ROOT);
          if (lower.startsWith(CUSTOMER)) {
            fields.put(lower, String.join(", ", values));
          }
        });
    return fields;
  }

  private static byte[] base(Map<String, String> covered, String parameters) {
    return covered.entrySet().stream()
        .map(one -> quoted(one.getKey()) + ": " + one.getValue() + "\n")
        .collect(Collectors.joining("", "", quoted("@signature-params") + ": " + parameters))
        .getBytes(US_ASCII);
  }

  private static String quoted(String text) {
    return '"' + text + '"';
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }
}
