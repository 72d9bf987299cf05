package dev.holdfast.activities;

import dev.holdfast.activities.internal.DigestCheck;
import dev.holdfast.activities.internal.EffectScope;
import dev.holdfast.activities.internal.HttpExchange;
import dev.holdfast.activities.internal.OneDispatch;
import dev.holdfast.activities.internal.TransactionDispatch;
import dev.holdfast.activities.internal.UpstreamAnswer;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The one effect that a fenced activity may have, under its lease. The activity takes it from
 * {@link #current()} on its own thread and may hand it to others.
 *
 * <p>An attempt dispatches once, or several times under different names; one receipt covers them
 * all, so that the attempt succeeds where each of them does and is unknown where some do; a no that
 * the activity declares by its own exception is then not believed of all of them. What the activity
 * throws before the first gives the attempt back; what it throws later leaves the outcome unknown,
 * unless it is an {@link UpstreamRejectedException}, an {@link UpstreamRefusedException} or a
 * {@link NotDispatchedException} of the dispatch itself.
 *
 * <p>The methods that dispatch throw these where an answer is no success, and an {@link
 * UpstreamUnverifiedException} where nobody can tell what it means; catching them changes nothing
 * of what the ledger is told. Before anything is dispatched they throw a {@link
 * NotDispatchedException} when it is too late for it, and Temporal's {@code ApplicationFailure} of
 * type {@code NotProtectable} when they are used in a way that cannot be protected.
 */
public final class FencedEffect {
  private final EffectScope scope;

  private FencedEffect(EffectScope scope) {
    this.scope = scope;
  }

  /**
   * The effect of the fenced activity that runs on this thread.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code NotProtectable}: no fenced activity runs
   *     here, as in a Nexus handler, or it has called another fenced method directly. Once
   *     something was dispatched, {@code UpstreamUnverified}
   */
  public static FencedEffect current() {
    return new FencedEffect(EffectScope.current());
  }

  /** As {@link #send(HttpClient, HttpRequest, AnswerRules)}, by the standard rules. */
  public HttpResponse<byte[]> send(HttpClient client, HttpRequest request) {
    return send(client, request, AnswerRules.standard());
  }

  /**
   * Sends the request with {@code Idempotency-Key} and {@code Fencing-Token}, compares the answer's
   * {@code Content-Digest} and {@code Repr-Digest} (RFC 9530), and keeps its status and digest as
   * evidence. Where the method demands {@code evidence = ATTESTED} the request also bears the
   * tuple's fields, and no answer means anything that the upstream did not sign. {@code
   * Repr-Digest} counts where the body is the whole representation, uncoded.
   *
   * <p>The wait for the answer ends with the request's own time-out, the method's {@code inFlight}
   * or the time that the activity has, whichever is first. A request that surely never left,
   * because no connection came about, was not dispatched; of GET and HEAD, which the client may
   * silently send twice, that is never certain.
   *
   * @param client must not follow redirects: a redirect is an answer
   * @param request without those two headers
   * @return an answer that the rules read as a success
   */
  public HttpResponse<byte[]> send(HttpClient client, HttpRequest request, AnswerRules rules) {
    return send(scope.dispatch(), client, request, rules);
  }

  /** As {@link #send(String, HttpClient, HttpRequest, AnswerRules)}, by the standard rules. */
  public HttpResponse<byte[]> send(String dispatch, HttpClient client, HttpRequest request) {
    return send(dispatch, client, request, AnswerRules.standard());
  }

  /**
   * As {@link #send(HttpClient, HttpRequest, AnswerRules)}, as one of several dispatches, under a
   * key of its own.
   *
   * @param dispatch the same at every attempt, and used once in each; at most 100 characters
   */
  public HttpResponse<byte[]> send(
      String dispatch, HttpClient client, HttpRequest request, AnswerRules rules) {
    return send(scope.dispatch(dispatch), client, request, rules);
  }

  private HttpResponse<byte[]> send(
      OneDispatch dispatch, HttpClient client, HttpRequest request, AnswerRules rules) {
    scope.refuseTransactional();
    return HttpExchange.send(dispatch, client, request, rules.table(), rules::commitmentOf);
  }

  /**
   * Runs the dispatch and keeps what {@code evidence} reads from its answer. The key must go to the
   * upstream; a dispatch that never reads it keeps its receipt, but is logged and counted ({@link
   * HoldfastCounters#keyNotSent()}).
   *
   * @return an answer that the evidence reads as a success
   * @throws X what the dispatch threw; the outcome is unknown
   */
  public <T, X extends Exception> T dispatch(Dispatch<T, X> dispatch, Evidence<T> evidence)
      throws X {
    return dispatch(scope.dispatch(), dispatch, evidence);
  }

  /**
   * As {@link #dispatch(Dispatch, Evidence)}, as one of several dispatches, under a key of its own.
   *
   * @param name the same at every attempt, and used once in each; at most 100 characters
   * @throws X what the dispatch threw; the outcome is unknown
   */
  public <T, X extends Exception> T dispatch(
      String name, Dispatch<T, X> dispatch, Evidence<T> evidence) throws X {
    return dispatch(scope.dispatch(name), dispatch, evidence);
  }

  private <T, X extends Exception> T dispatch(
      OneDispatch one, Dispatch<T, X> dispatch, Evidence<T> evidence) throws X {
    scope.refuseTransactional();
    one.begin();
    T answer = answer(one, dispatch);
    byte[] bytes = evidence.bytesOf(answer);
    int status = evidence.statusOf(answer);
    new UpstreamAnswer(
            status,
            bytes,
            DigestCheck.of(evidence.digestOf(answer), bytes),
            one.proof(status, () -> evidence.messageOf(answer)))
        .keepIn(one, evidence.rules().table(), () -> evidence.commitmentOf(answer));
    return answer;
  }

  private static <T, X extends Exception> T answer(OneDispatch one, Dispatch<T, X> dispatch)
      throws X {
    try {
      return dispatch.send(key(one));
    } catch (NotDispatchedException e) {
      one.nothingDone();
      throw e;
    }
  }

  /**
   * Does the effect in the ledger's own transaction: effect, receipt and the activity's result are
   * one commit, hence exactly once. Plain JDBC, or whatever takes a connection. No retry, renewal
   * or rival gets in between, and the transaction may last as long as the lease.
   *
   * <p>Everything is rolled back, and nothing was done, when the work throws, when its value is no
   * instance of the activity method's return type, and when that value is too big for Temporal or
   * cannot be serialized ({@code ResultNotTransportable}: there is no receipt in this case).
   *
   * @param work its value is the activity's result; {@code null} in a method that returns nothing.
   *     What the method itself returns is not looked at
   * @throws X what the work threw, after the rollback
   * @throws NotDispatchedException the ledger rolled back: the lease was lost or its margin too
   *     thin
   */
  public <T extends @Nullable Object, X extends Exception> T inLedgerTransaction(
      LedgerWork<T, X> work) throws X {
    scope.refuseRemote();
    try {
      return TransactionDispatch.run(scope, work);
    } catch (Exception e) {
      throw FencedEffect.<X>asThrown(e);
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <X extends Exception> X asThrown(Exception e) {
    return (X) e; // the work's own or unchecked: nothing else is thrown in there
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

  /** The idempotency key of the dispatch, for a method whose result is its evidence. */
  public UpstreamKey upstreamKey() {
    return key(scope.dispatch());
  }

  /**
   * The idempotency key of the dispatch of this name.
   *
   * @param dispatch the same at every attempt; at most 100 characters
   */
  public UpstreamKey upstreamKey(String dispatch) {
    return key(scope.dispatch(dispatch));
  }

  /**
   * The fields that the request must bear where the method demands {@code evidence = ATTESTED}, by
   * name, so that the upstream can sign them; none where it does not. {@link #send} adds them
   * itself.
   */
  public Map<String, String> tupleFields() {
    return scope.dispatch().tupleFields();
  }

  /**
   * Those of the dispatch of this name.
   *
   * @param dispatch the same at every attempt; at most 100 characters
   */
  public Map<String, String> tupleFields(String dispatch) {
    return scope.dispatch(dispatch).tupleFields();
  }

  private static UpstreamKey key(OneDispatch one) {
    return new UpstreamKey(one.key().value(), one::keyWasRead);
  }
}
