package dev.holdfast.activities.evidence;

import java.net.URI;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The components of a request that are no fields (RFC 9421, section 2.2). */
final class RequestComponents {
  private static final int HTTP = 80;
  private static final int HTTPS = 443;
  private static final int NO_PORT = -1;

  private RequestComponents() {}

  static Map<String, String> of(String method, URI target) {
    String path = orElse(target.getRawPath(), "/");
    String query = target.getRawQuery();
    Map<String, String> components = new HashMap<>();
    components.put("@method", method);
    components.put("@target-uri", target.toString());
    components.put("@path", path);
    components.put("@query", "?" + (query == null ? "" : query));
    components.put("@request-target", query == null ? path : path + "?" + query);
    if (target.getScheme() != null) {
      components.put("@scheme", target.getScheme().toLowerCase(Locale.ROOT));
    }
    if (target.getHost() != null) {
      components.put("@authority", authority(target));
    }
    return components;
  }

  /** Without the port that the scheme implies. */
  private static String authority(URI target) {
    String host = target.getHost().toLowerCase(Locale.ROOT);
    boolean implied =
        switch (target.getPort()) {
          case NO_PORT -> true;
          case HTTP -> "http".equalsIgnoreCase(target.getScheme());
          case HTTPS -> "https".equalsIgnoreCase(target.getScheme());
          default -> false;
        };
    return implied ? host : host + ":" + target.getPort();
  }

  private static String orElse(@Nullable String value, String otherwise) {
    return value == null || value.isEmpty() ? otherwise : value;
  }
}
