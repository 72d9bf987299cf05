package dev.holdfast.activities;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What came of asking an upstream.
 *
 * @param <R> the activity's result
 */
public sealed interface Reconciled<R extends @Nullable Object> {
  /**
   * The effect happened: it is committed with this answer, and nothing is dispatched.
   *
   * @param result what the activity returns
   * @param status the upstream's status in the answer to the question
   * @param bytes the bytes of that answer as received
   * @param commitment the upstream's own id of the effect, where the dispatch names it too ({@link
   *     Evidence#withCommitment}, {@link AnswerRules#commitment}): both or neither. Without one the
   *     effect is that of the one open attempt, and where several are open a person must say whose.
   *     Of several dispatches it is the id of the one that begins last
   */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Happened<R extends @Nullable Object>(
      R result, int status, byte[] bytes, Optional<String> commitment) implements Reconciled<R> {}

  /** The upstream knows no such effect. */
  record DidNotHappen<R extends @Nullable Object>() implements Reconciled<R> {}

  /**
   * Nobody can tell yet: the next attempt asks again.
   *
   * @param reason a word for logs and failures, at most 100 characters; no payload
   */
  record StillUnknown<R extends @Nullable Object>(String reason) implements Reconciled<R> {}

  /** The effect was found, marked with another request: only a person can tell. */
  record UnderAnotherTag<R extends @Nullable Object>() implements Reconciled<R> {}

  /** It happened; the upstream gives effects no id of its own. */
  static <R extends @Nullable Object> Reconciled<R> happened(R result, int status, byte[] bytes) {
    return new Happened<>(result, status, bytes, Optional.empty());
  }

  /** It happened, and this is the upstream's own id of the effect. */
  static <R extends @Nullable Object> Reconciled<R> happened(
      R result, int status, byte[] bytes, String commitment) {
    return new Happened<>(result, status, bytes, Optional.of(commitment));
  }

  /** It did not. */
  static <R extends @Nullable Object> Reconciled<R> didNotHappen() {
    return new DidNotHappen<>();
  }

  /** Nobody can tell yet. */
  static <R extends @Nullable Object> Reconciled<R> stillUnknown(String reason) {
    return new StillUnknown<>(reason);
  }

  /** It was found, marked with another request. */
  static <R extends @Nullable Object> Reconciled<R> underAnotherTag() {
    return new UnderAnotherTag<>();
  }
}
