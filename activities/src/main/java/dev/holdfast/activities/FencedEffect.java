package dev.holdfast.activities;

import dev.holdfast.activities.internal.EffectScope;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one effect that a fenced activity may have, under its lease. The activity takes it from
 * {@link #current()} on its own thread and may hand it to others.
 *
 * <p>An attempt dispatches once. What it throws before that gives the attempt back; what it throws
 * later leaves the outcome unknown, unless it is an {@link UpstreamRejectedException} or an {@link
 * UpstreamRefusedException}.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class FencedEffect {
  private final EffectScope scope;

  private FencedEffect(EffectScope scope) {
    this.scope = scope;
  }

  /**
   * The effect of the fenced activity that runs on this thread.
   *
   * @throws IllegalStateException no fenced activity runs here
   */
  public static FencedEffect current() {
    return new FencedEffect(EffectScope.current());
  }

  /**
   * Sends the request with {@code Idempotency-Key} and {@code Fencing-Token}, and keeps status and
   * digest of the answer as evidence.
   */
  public HttpResponse<byte[]> send(HttpClient client, HttpRequest request) {
    throw new UnsupportedOperationException("not yet");
  }

  /** Runs the dispatch and keeps what {@code evidence} reads from its answer. */
  public <T, X extends Exception> T dispatch(Dispatch<T, X> dispatch, Evidence<T> evidence)
      throws X {
    scope.dispatch();
    T answer = dispatch.send(scope.upstreamKey());
    int status = evidence.status().applyAsInt(answer);
    scope.answered(status, status / 100 == 2, evidence.bytes().apply(answer), List.of());
    return answer;
  }

  /** Does the effect in the ledger's own transaction, together with its receipt: exactly once. */
  public <T extends @Nullable Object, X extends Exception> T inLedgerTransaction(
      LedgerWork<T, X> work) throws X {
    throw new UnsupportedOperationException("not yet");
  }

  /**
   * Whether the lease should still be good after this time, by this process's pessimistic clock. It
   * proves nothing: the ledger judges at the commit.
   */
  public boolean leaseGoodFor(Duration duration) {
    return scope.lease().isGoodFor(duration);
  }

  /** Runs the callback, on another thread, once the lease is lost; at once if it is already. */
  public void onLeaseLost(Runnable callback) {
    scope.lease().onLost(callback);
  }

  /** The idempotency key of this dispatch. Who reads it may have used it. */
  public UpstreamKey upstreamKey() {
    return scope.upstreamKey();
  }
}
