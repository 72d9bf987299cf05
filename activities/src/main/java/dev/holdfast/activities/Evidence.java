package dev.holdfast.activities;

import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Tells what an upstream's answer proves, for effects that are not sent over {@code java.net.http}.
 *
 * @param status the upstream's own status code; 2xx says that the effect is done
 * @param bytes the bytes as received, whose SHA-256 the receipt keeps
 * @param <T> type of the answer
 */
public record Evidence<T>(ToIntFunction<? super T> status, Function<? super T, byte[]> bytes) {
  /** Evidence of these two parts. */
  public static <T> Evidence<T> of(
      ToIntFunction<? super T> status, Function<? super T, byte[]> bytes) {
    return new Evidence<>(status, bytes);
  }
}
