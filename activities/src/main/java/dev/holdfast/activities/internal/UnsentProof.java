package dev.holdfast.activities.internal;

import java.net.ConnectException;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.nio.channels.UnresolvedAddressException;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether a failed exchange surely brought nothing before the upstream. That the last
 * connection was refused is not enough: a client may have sent the request over a pooled connection
 * that broke, and have been refused when it silently sent it again.
 */
final class UnsentProof {
  private UnsentProof() {}

  /** Why nothing can have been sent, as a word; empty where that is not certain. */
  static Optional<String> of(Throwable failure, HttpRequest request, @Nullable WatchedBody body) {
    boolean headless = body != null && !body.touched();
    boolean sentOnceAtMost = !mayBeSentTwice(request);
    boolean unconnected = body == null ? sentOnceAtMost : headless;
    return switch (failure) {
      case HttpConnectTimeoutException e when unconnected -> Optional.of("connect-timeout");
      case ConnectException e when unconnected -> Optional.of(connectWord(e));
      case UnresolvedAddressException e when unconnected -> Optional.of("unknown-host");
      // a client that speaks HTTP/1.1 alone makes the head before it shakes hands
      case SSLHandshakeException e when headless || sentOnceAtMost -> Optional.of("tls");
      case SSLException e when headless -> Optional.of("tls");
      default -> Optional.empty();
    };
  }

  private static String connectWord(ConnectException failure) {
    return failure.getCause() instanceof UnresolvedAddressException
        ? "unknown-host"
        : "connection-refused";
  }

  /** What {@code java.net.http} sends again by itself after a broken connection. */
  private static boolean mayBeSentTwice(HttpRequest request) {
    return switch (request.method()) {
      case "GET", "HEAD" -> true;
      default -> System.getProperty("jdk.httpclient.enableAllMethodRetry") != null;
    };
  }
}
