package dev.holdfast.activities.bed;

import dev.holdfast.activities.Evidence;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.UpstreamKey;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** An upstream that carries out one effect per key, and counts. */
public final class Upstream {
  private final AtomicInteger requests = new AtomicInteger();
  private final Map<String, Answer> effects = new ConcurrentHashMap<>();

  /** What it answers. */
  public record Answer(int status, String body) {
    byte[] bytes() {
      return body.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** Sends a request under the lease of the fenced activity on this thread. */
  public String dispatch(String request) {
    return dispatch(200, request);
  }

  /** The same; a new effect is answered with this status. */
  public String dispatch(int status, String request) {
    return FencedEffect.current()
        .dispatch(
            key -> receive(key, new Answer(status, "did " + request)),
            Evidence.of(Answer::status, Answer::bytes))
        .body();
  }

  /** A request arrives. */
  public Answer receive(UpstreamKey key, Answer answer) {
    requests.incrementAndGet();
    return answer.status() / 100 == 2 ? effects.computeIfAbsent(key.value(), k -> answer) : answer;
  }

  /** How many requests came. */
  public int requests() {
    return requests.get();
  }

  /** How many effects there are. */
  public int effects() {
    return effects.size();
  }
}
