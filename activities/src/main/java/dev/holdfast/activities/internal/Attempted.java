package dev.holdfast.activities.internal;

import org.jspecify.annotations.Nullable;

/** How the activity method itself ended. */
sealed interface Attempted {
  /** It returned this. */
  record Returned(@Nullable Object value) implements Attempted {}

  /** It threw: an exception or an error, they count alike. */
  record Threw(Throwable thrown) implements Attempted {}
}
