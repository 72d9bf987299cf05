package dev.holdfast.activities.internal;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/**
 * A request body that knows whether its client came as far as the request head: a client asks for
 * the length when it writes the head, over a connection that stands.
 */
final class WatchedBody implements BodyPublisher {
  private final BodyPublisher body;
  private volatile boolean touched;

  WatchedBody(BodyPublisher body) {
    this.body = body;
  }

  boolean touched() {
    return touched;
  }

  @Override
  public long contentLength() {
    touched = true;
    return body.contentLength();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    touched = true;
    body.subscribe(subscriber);
  }
}
