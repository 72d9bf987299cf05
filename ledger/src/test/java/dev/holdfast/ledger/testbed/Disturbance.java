package dev.holdfast.ledger.testbed;

import java.util.concurrent.CountDownLatch;

/** What happens to one round trip on its way. */
public sealed interface Disturbance {
  /** The connection is cut before the server hears of it. */
  record CutBeforeServer() implements Disturbance {}

  /** The server does it; the connection is cut before the client hears of that. */
  record CutBeforeAnswer() implements Disturbance {}

  /** The server does it; the answer never comes, and the connection stays. */
  record SwallowAnswer() implements Disturbance {}

  /** The server hears of it when the latch is down. */
  record HoldRequest(CountDownLatch until) implements Disturbance {}

  /** The server does it; the client hears of that when the latch is down. */
  record HoldAnswer(CountDownLatch until) implements Disturbance {}
}
