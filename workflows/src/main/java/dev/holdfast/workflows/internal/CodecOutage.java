package dev.holdfast.workflows.internal;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.util.concurrent.TimeoutException;

/**
 * Tells a codec whose server is out of reach, for the moment, from a payload that cannot be read.
 */
public final class CodecOutage {
  private static final int DEPTH = 20;

  private CodecOutage() {}

  /** Whether the network is among the causes. Any other I/O may be a stream of broken bytes. */
  public static boolean isBehind(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < DEPTH; i++) {
      if (isNetwork(cause)) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  private static boolean isNetwork(Throwable cause) {
    return cause instanceof SocketException
        || cause instanceof SocketTimeoutException
        || cause instanceof UnknownHostException
        || cause instanceof HttpTimeoutException
        || cause instanceof TimeoutException;
  }
}
