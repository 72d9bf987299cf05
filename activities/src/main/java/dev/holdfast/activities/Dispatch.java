package dev.holdfast.activities;

/**
 * Sends one request to an upstream that carries out one effect per key.
 *
 * @param <T> type of the answer
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface Dispatch<T, X extends Exception> {
  /** Sends the request with this idempotency key and waits for the answer. */
  T send(UpstreamKey key) throws X;
}
