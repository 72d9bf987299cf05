package dev.holdfast.samples.upstream;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Which keys were used, with which body, and what was answered. Thread-safe. */
final class KeyBook {

  /** What the book says about a key that a request brings. */
  sealed interface Finding {
    /** Nobody has used it: the caller now owns it and must complete or abandon it. */
    record Fresh() implements Finding {}

    record InProgress() implements Finding {}

    record OtherBody() implements Finding {}

    record Stored(Answer answer) implements Finding {}
  }

  private record Page(String bodyDigest, @Nullable Answer answer) {}

  private final ConcurrentMap<IdempotencyKey, Page> pages = new ConcurrentHashMap<>();

  Finding begin(IdempotencyKey key, String bodyDigest) {
    Page page = pages.putIfAbsent(key, new Page(bodyDigest, null));
    if (page == null) {
      return new Finding.Fresh();
    }
    if (!page.bodyDigest().equals(bodyDigest)) {
      return new Finding.OtherBody();
    }
    Answer answer = page.answer();
    return answer == null ? new Finding.InProgress() : new Finding.Stored(answer);
  }

  void complete(IdempotencyKey key, String bodyDigest, Answer answer) {
    pages.put(key, new Page(bodyDigest, answer));
  }

  void abandon(IdempotencyKey key) {
    pages.remove(key);
  }
}
