package dev.holdfast.workflows.internal;

import dev.holdfast.BindingRef;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationRef;
import dev.holdfast.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which parameters of a method, or components of its record arguments, play which part. */
public final class ParameterRoles {
  private final List<ArgumentPart> keyParts;
  private final Optional<ArgumentPart> scopePart;
  private final List<Integer> gates;
  private final Optional<Integer> binding;
  private final Set<Integer> leftOut;

  ParameterRoles(
      List<ArgumentPart> keyParts,
      Optional<ArgumentPart> scopePart,
      List<Integer> gates,
      Optional<Integer> binding,
      Set<Integer> leftOut) {
    this.keyParts = List.copyOf(keyParts);
    this.scopePart = scopePart;
    this.gates = List.copyOf(gates);
    this.binding = binding;
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

  boolean hasBinding() {
    return binding.isPresent();
  }

  Optional<BindingRef> binding(@Nullable Object[] arguments) {
    return binding.map(parameter -> whole(arguments[parameter]));
  }

  /** No binding is no authorization: generation 0 would be one that was never rotated. */
  private static BindingRef whole(@Nullable Object argument) {
    if (argument instanceof BindingRef ref
        && Stream.<@Nullable Object>of(ref.name(), ref.generation()).allMatch(Objects::nonNull)) {
      return ref;
    }
    throw HoldfastFailures.invalidOperation("binding", "a binding is null or not whole");
  }

  List<OperationRef> gates(@Nullable Object[] arguments) {
    List<OperationRef> refs = new ArrayList<>();
    for (int gate : gates) {
      switch (arguments[gate]) {
        case OperationRef ref -> refs.add(required(ref));
        case List<?> several -> several.forEach(each -> refs.add(required(each)));
        case null, default -> throw missing();
      }
    }
    return List.copyOf(refs);
  }

  private static OperationRef required(@Nullable Object ref) {
    if (ref instanceof OperationRef known && isWhole(known)) {
      return known;
    }
    throw missing();
  }

  /** JSON that left members out makes a reference to nothing. */
  private static boolean isWhole(OperationRef ref) {
    return Stream.<@Nullable Object>of(
            ref.scope(),
            ref.operation(),
            ref.fingerprint(),
            ref.generation(),
            ref.epoch(),
            ref.effect(),
            ref.receipt(),
            ref.ledger())
        .allMatch(Objects::nonNull);
  }

  /** No reference is no gate: treating it as an open one would let the effect through. */
  private static RuntimeException missing() {
    return HoldfastFailures.invalidOperation(
        "gate", "a required operation reference is null or not whole");
  }
}
