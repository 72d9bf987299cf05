package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationRef;
import dev.holdfast.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which parameters of a method, or components of its record arguments, play which part. */
public final class ParameterRoles {
  private final List<ArgumentPart> keyParts;
  private final Optional<ArgumentPart> scopePart;
  private final List<Integer> gates;
  private final Set<Integer> leftOut;

  ParameterRoles(
      List<ArgumentPart> keyParts,
      Optional<ArgumentPart> scopePart,
      List<Integer> gates,
      Set<Integer> leftOut) {
    this.keyParts = List.copyOf(keyParts);
    this.scopePart = scopePart;
    this.gates = List.copyOf(gates);
    this.leftOut = Set.copyOf(leftOut);
  }

  List<ArgumentPart> keyParts() {
    return keyParts;
  }

  boolean isLeftOut(int parameter) {
    return leftOut.contains(parameter);
  }

  Optional<Scope> scope(@Nullable Object[] arguments) {
    return scopePart.map(
        part -> {
          String text = part.text(arguments);
          try {
            return new Scope(text);
          } catch (IllegalArgumentException e) {
            throw HoldfastFailures.invalidOperation("scope", String.valueOf(e.getMessage()));
          }
        });
  }

  List<OperationRef> gates(@Nullable Object[] arguments) {
    List<OperationRef> refs = new ArrayList<>();
    for (int gate : gates) {
      switch (arguments[gate]) {
        case OperationRef ref -> refs.add(ref);
        case List<?> several -> several.forEach(each -> refs.add(required(each)));
        case null, default -> throw missing();
      }
    }
    return List.copyOf(refs);
  }

  private static OperationRef required(@Nullable Object ref) {
    if (ref instanceof OperationRef known) {
      return known;
    }
    throw missing();
  }

  /** No reference is no gate: treating it as an open one would let the effect through. */
  private static RuntimeException missing() {
    return HoldfastFailures.invalidOperation("gate", "a required operation reference is null");
  }
}
