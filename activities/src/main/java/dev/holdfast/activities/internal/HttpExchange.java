package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.evidence.SignedMessage;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One request over {@code java.net.http}, sent under a lease. What a client throws is named by its
 * class and not passed on: its message may quote what the upstream sent.
 */
public final class HttpExchange {
  /** RFC draft httpapi-idempotency-key-header; sent as the plain text that upstreams expect. */
  private static final String KEY_HEADER = "Idempotency-Key";

  private static final String TOKEN_HEADER = "Fencing-Token";

  /** The client's own time-out knows whether it was connected, so it gets to speak first. */
  private static final Duration CLIENT_FIRST = Duration.ofSeconds(1);

  private final OneDispatch dispatch;
  private final HttpClient client;
  private final HttpRequest request;
  private final Duration timeout;
  private final @Nullable WatchedBody body;

  private HttpExchange(OneDispatch dispatch, HttpClient client, HttpRequest request) {
    this.dispatch = dispatch;
    this.client = client;
    this.request = request;
    this.timeout = bounded(dispatch.scope(), request);
    this.body = request.bodyPublisher().map(WatchedBody::new).orElse(null);
  }

  /** Sends it and keeps what came of it; returns where that is a success. */
  public static HttpResponse<byte[]> send(
      OneDispatch dispatch,
      HttpClient client,
      HttpRequest request,
      AnswerTable table,
      Function<HttpResponse<byte[]>, Optional<String>> commitment) {
    refuseUnprotectable(dispatch, client, request);
    HttpResponse<byte[]> response = new HttpExchange(dispatch, client, request).send();
    Proof proof =
        dispatch.proof(response.statusCode(), () -> Optional.of(SignedMessage.of(response)));
    new UpstreamAnswer(response.statusCode(), response.body(), DigestFields.check(response), proof)
        .keepIn(dispatch, table, () -> commitment.apply(response));
    return response;
  }

  private static void refuseUnprotectable(
      OneDispatch dispatch, HttpClient client, HttpRequest request) {
    if (client.followRedirects() != HttpClient.Redirect.NEVER) {
      throw HoldfastFailures.notProtectable(
          "redirects",
          "the client follows redirects, so an answer need not come from the upstream that was"
              + " asked: build it with followRedirects(NEVER)");
    }
    List<String> own = new ArrayList<>(List.of(KEY_HEADER, TOKEN_HEADER));
    own.addAll(dispatch.tupleFields().keySet());
    for (String header : own) {
      if (request.headers().firstValue(header).isPresent()) {
        throw HoldfastFailures.notProtectable(
            "header-set", "the header " + header + " is set by the lease: leave it out");
      }
    }
  }

  private static Duration bounded(EffectScope scope, HttpRequest request) {
    Duration longest = scope.requestMayLast();
    Duration shortest = request.timeout().filter(own -> own.compareTo(longest) < 0).orElse(longest);
    return shortest.isPositive() ? shortest : Duration.ofMillis(1);
  }

  private HttpResponse<byte[]> send() {
    HttpRequest fenced = fenced();
    dispatch.begin();
    dispatch.keyWasRead();
    CompletableFuture<HttpResponse<byte[]>> answer;
    try {
      answer = client.sendAsync(fenced, BodyHandlers.ofByteArray());
    } catch (IllegalArgumentException e) {
      throw unsent("invalid-request");
    }
    return await(answer);
  }

  private HttpRequest fenced() {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(request, (name, value) -> true)
            .timeout(timeout)
            .setHeader(KEY_HEADER, dispatch.key().value())
            .setHeader(TOKEN_HEADER, dispatch.scope().holder().token().toString());
    // what the upstream is to sign, in its answer
    dispatch.tupleFields().forEach(builder::setHeader);
    if (body != null) {
      builder.method(request.method(), body);
    }
    return builder.build();
  }

  private HttpResponse<byte[]> await(CompletableFuture<HttpResponse<byte[]>> answer) {
    try {
      // the request's own time-out ends with the head of the answer
      return answer.get(timeout.plus(CLIENT_FIRST).toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw failed(e.getCause() == null ? e : e.getCause());
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw dispatch.unverified("timed-out");
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw dispatch.unverified("interrupted");
    }
  }

  private RuntimeException failed(Throwable failure) {
    return UnsentProof.of(failure, request, body)
        .<RuntimeException>map(this::unsent)
        .orElseGet(() -> dispatch.unverified("lost_answer:" + failure.getClass().getSimpleName()));
  }

  private NotDispatchedException unsent(String reason) {
    dispatch.nothingDone();
    return new NotDispatchedException(reason);
  }
}
