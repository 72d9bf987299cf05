package dev.holdfast.activities;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a message whose signature was verified.
 *
 * @param <R> the activity's result
 */
@FunctionalInterface
public interface DeliveryReader<R extends @Nullable Object> {
  /** What the activity would have returned. */
  R result(byte[] body);

  /**
   * The upstream's own id of the effect, as the dispatch names it ({@link
   * Evidence#withCommitment}). Without one a message about an upstream that does not honour keys
   * cannot tell which effect it means, and is not believed.
   */
  default Optional<String> commitment(byte[] body) {
    return Optional.empty();
  }
}
