package dev.holdfast.activities.evidence;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A message as it was received, of which nothing is believed yet: an answer, or a request that an
 * upstream made by itself. Immutable, as long as nobody changes the body.
 */
public final class SignedMessage {
  private static final String STATUS = "@status";

  private final Map<String, String> derived;
  private final Map<String, List<String>> lines;
  private final byte[] body;
  private final @Nullable SignedMessage request;

  private SignedMessage(
      Map<String, String> derived,
      Map<String, List<String>> lines,
      byte[] body,
      @Nullable SignedMessage request) {
    this.derived = derived;
    this.lines = lines;
    this.body = body;
    this.request = request;
  }

  /** An answer with the request that it is the answer to. */
  public static SignedMessage of(HttpResponse<byte[]> response) {
    HttpRequest asked = response.request();
    return response(response.statusCode(), response.headers().map(), response.body())
        .answering(request(asked.method(), asked.uri(), asked.headers().map(), new byte[0]));
  }

  /**
   * An answer.
   *
   * @param fields the lines of each header field, in the order in which they came
   * @param body the bytes as received
   */
  public static SignedMessage response(int status, Map<String, List<String>> fields, byte[] body) {
    return new SignedMessage(
        Map.of(STATUS, Integer.toString(status)), byLowerName(fields), body, null);
  }

  /**
   * A request, as a webhook's endpoint gets it.
   *
   * @param target where it was sent, as its sender wrote it: scheme, host, path, query
   * @param fields the lines of each header field, in the order in which they came
   * @param body the bytes as received
   */
  public static SignedMessage request(
      String method, URI target, Map<String, List<String>> fields, byte[] body) {
    return new SignedMessage(RequestComponents.of(method, target), byLowerName(fields), body, null);
  }

  /** This answer, to that request: a signature may cover parts of it. */
  public SignedMessage answering(SignedMessage asked) {
    return new SignedMessage(derived, lines, body, asked);
  }

  private static Map<String, List<String>> byLowerName(Map<String, List<String>> fields) {
    Map<String, List<String>> lines = new HashMap<>();
    fields.forEach(
        (name, values) ->
            lines
                .computeIfAbsent(name.toLowerCase(Locale.ROOT), any -> new ArrayList<>())
                .addAll(values));
    return lines;
  }

  /** The lines of a field, as they came; none where there is no such field. */
  public List<String> lines(String name) {
    return List.copyOf(lines.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
  }

  /** The value of a field: its lines, each without the space around it, joined by commas. */
  public Optional<String> field(String name) {
    List<String> values = lines(name);
    return values.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join(", ", values.stream().map(SignedMessage::trimmed).toList()));
  }

  private static String trimmed(String line) {
    int start = 0;
    int end = line.length();
    while (start < end && isSpace(line.charAt(start))) {
      start++;
    }
    while (end > start && isSpace(line.charAt(end - 1))) {
      end--;
    }
    return line.substring(start, end);
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t';
  }

  /** The status of an answer; none of a request. */
  public OptionalInt status() {
    String status = derived.get(STATUS);
    return status == null ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(status));
  }

  /** The bytes as received; not to be changed. */
  public byte[] body() {
    return body;
  }

  /** What a component of a signature names (RFC 9421, section 2); none where it is not there. */
  Optional<String> component(String name) {
    return name.startsWith("@") ? Optional.ofNullable(derived.get(name)) : field(name);
  }

  Optional<SignedMessage> request() {
    return Optional.ofNullable(request);
  }
}
