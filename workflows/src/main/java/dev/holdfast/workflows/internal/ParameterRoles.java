package dev.holdfast.workflows.internal;

import dev.holdfast.OperationRef;
import dev.holdfast.Scope;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which parameters of a method, or components of its record arguments, play which part. */
@SuppressWarnings("DoNotCallSuggester")
public final class ParameterRoles {
  ParameterRoles() {}

  Optional<Scope> scope(@Nullable Object[] arguments) {
    throw new UnsupportedOperationException();
  }

  List<OperationRef> gates(@Nullable Object[] arguments) {
    throw new UnsupportedOperationException();
  }
}
