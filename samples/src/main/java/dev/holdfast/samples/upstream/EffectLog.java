package dev.holdfast.samples.upstream;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * What was asked and what was done, counted where it happens and apart from the {@link KeyBook}: if
 * the book failed, the log would show two effects of one key. Thread-safe.
 */
final class EffectLog {

  private record Request(IdempotencyKey key, @Nullable PresentedToken token) {}

  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final List<Effect> effects = new CopyOnWriteArrayList<>();

  void requested(Posted request) {
    requests.add(new Request(request.key(), request.token()));
  }

  void done(Posted request) {
    effects.add(new Effect(request.key(), request.token()));
  }

  List<Effect> effects() {
    return List.copyOf(effects);
  }

  int requests() {
    return requests.size();
  }

  List<PresentedToken> tokensOf(IdempotencyKey key) {
    List<PresentedToken> tokens = new ArrayList<>();
    for (Request request : requests) {
      if (request.key().equals(key) && request.token() != null) {
        tokens.add(request.token());
      }
    }
    return tokens;
  }

  /** The log as another process reads it. */
  FlatJson summary() {
    List<Effect> done = effects();
    Map<String, Object> byKey = new LinkedHashMap<>();
    done.forEach(effect -> byKey.merge(effect.key().value(), 1, (a, b) -> (int) a + (int) b));
    return FlatJson.of("effects", done.size(), "requests", requests(), "byKey", byKey);
  }
}
