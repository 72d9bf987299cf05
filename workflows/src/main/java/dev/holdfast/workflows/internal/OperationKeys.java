package dev.holdfast.workflows.internal;

import dev.holdfast.OperationId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes the operation id from the arguments of a fenced method. */
@SuppressWarnings("DoNotCallSuggester")
public final class OperationKeys {
  private OperationKeys() {}

  /**
   * The operation id: type and key. Parts of a key are joined length-prefixed.
   *
   * @param origin needed where the method's key scope is not {@code BUSINESS}
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: a part is missing or
   *     is not allowed as a key; {@code NotProtectable}: the key scope needs an origin and there is
   *     none
   */
  public static OperationId operationId(
      FencedMethod method, @Nullable Object[] arguments, Optional<WorkflowOrigin> origin) {
    throw new UnsupportedOperationException();
  }
}
