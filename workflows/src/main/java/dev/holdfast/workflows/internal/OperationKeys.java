package dev.holdfast.workflows.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationId;
import dev.holdfast.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes what names an operation from the arguments of a fenced method. Pure. */
public final class OperationKeys {
  private OperationKeys() {}

  /**
   * The operation id: type and key. One part is the key as it is; several, among them the
   * workflow's name where the key scope asks for it, are joined length-prefixed: {@code 3:abc2:xy}.
   *
   * @param origin needed where the method's key scope is not {@code BUSINESS}
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: a part is missing or
   *     is not allowed as a key; {@code NotProtectable}: the key scope needs an origin and there is
   *     none
   */
  public static OperationId operationId(
      FencedMethod method, @Nullable Object[] arguments, Optional<WorkflowOrigin> origin) {
    if (arguments.length != method.method().getParameterCount()) {
      throw HoldfastFailures.invalidOperation(
          "arguments", "the activity was called with another number of arguments than it declares");
    }
    List<String> parts = new ArrayList<>();
    if (method.keyScope() != KeyScope.BUSINESS) {
      parts.add(origin(method.keyScope(), origin));
    }
    method.roles().keyParts().forEach(part -> parts.add(part.text(arguments)));
    return operationId(method.operationType(), parts);
  }

  /**
   * The scope of an operation: what an argument names, else the ledger's, else the namespace.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: not allowed as a scope
   */
  public static Scope scope(
      FencedMethod method,
      @Nullable Object[] arguments,
      @Nullable Scope ledgerScope,
      String namespace) {
    return scope(method.scope(arguments).orElse(null), ledgerScope, namespace);
  }

  /**
   * The same where nothing else than the scope is asked for.
   *
   * @param named what the caller names
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: not allowed as a scope
   */
  public static Scope scope(@Nullable Scope named, @Nullable Scope ledgerScope, String namespace) {
    if (named != null) {
      return named;
    }
    return ledgerScope == null ? namespaceScope(namespace) : ledgerScope;
  }

  private static Scope namespaceScope(String namespace) {
    try {
      return new Scope(namespace);
    } catch (IllegalArgumentException e) {
      throw HoldfastFailures.invalidOperation(
          "scope", e.getMessage() + "; it is the namespace, give the plugin a ledger scope");
    }
  }

  private static OperationId operationId(String type, List<String> parts) {
    try {
      if (parts.size() == 1) {
        return new OperationId(type, parts.getFirst());
      }
      StringBuilder key = new StringBuilder();
      for (String part : parts) {
        // a blank part would hide behind its neighbours
        String checked = new OperationId(type, part).key();
        key.append(checked.codePointCount(0, checked.length())).append(':').append(checked);
      }
      return new OperationId(type, key.toString());
    } catch (IllegalArgumentException e) {
      throw HoldfastFailures.invalidOperation("key", String.valueOf(e.getMessage()));
    }
  }

  private static String origin(KeyScope scope, Optional<WorkflowOrigin> origin) {
    WorkflowOrigin from =
        origin.orElseThrow(
            () ->
                HoldfastFailures.notProtectable(
                    "key-scope",
                    "key scope "
                        + scope
                        + " needs the header that Holdfast's workflow side sends;"
                        + " name the activity interface to the workflow worker's plugin"));
    return switch (scope) {
      case BUSINESS -> throw new IllegalArgumentException("a business key has no origin");
      case WORKFLOW -> from.workflowId();
      case CHAIN -> from.firstExecutionRunId();
      case RUN -> from.originalExecutionRunId();
    };
  }
}
