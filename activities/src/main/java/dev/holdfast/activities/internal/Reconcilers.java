package dev.holdfast.activities.internal;

import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.workflows.internal.FencedMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gives each fenced method of an implementation the one who finds out about its effects: the
 * implementation itself, or one that the plugin was given. What does not fit is refused, because a
 * method that nobody asks for would send again.
 */
final class Reconcilers {
  private final List<RegisteredReconciler> registered;

  Reconcilers(List<RegisteredReconciler> registered) {
    this.registered = registered;
  }

  /**
   * The reconcilers of this implementation by activity type.
   *
   * @throws IllegalArgumentException one fits no method, or several; names it and the cure
   */
  Map<String, Reconciles<?>> of(Object implementation, Map<String, FencedMethod> methods) {
    Map<String, Reconciles<?>> byType = new HashMap<>();
    for (RegisteredReconciler candidate : candidates(implementation)) {
      for (String type : types(candidate, methods)) {
        if (byType.put(type, candidate.reconciler()) != null) {
          throw new IllegalArgumentException(
              "the activity type " + type + " has two reconcilers: leave one of them out");
        }
      }
    }
    return byType;
  }

  /** Names each that is for none of these implementations: what it is for may never be asked. */
  List<String> idle(List<Object> implementations) {
    return registered.stream()
        .filter(
            reconciler ->
                implementations.stream().noneMatch(reconciler.activityInterface()::isInstance))
        .map(
            reconciler ->
                named(
                    reconciler,
                    "is for no activity that is registered so far: register an implementation of"
                        + " that interface, or leave the reconciler out"))
        .toList();
  }

  private List<RegisteredReconciler> candidates(Object implementation) {
    List<RegisteredReconciler> candidates = new ArrayList<>();
    if (implementation instanceof Reconciles<?> itself) {
      candidates.add(new RegisteredReconciler(implementation.getClass(), itself));
    }
    registered.stream()
        .filter(candidate -> candidate.activityInterface().isInstance(implementation))
        .forEach(candidates::add);
    return candidates;
  }

  private static Set<String> types(
      RegisteredReconciler candidate, Map<String, FencedMethod> methods) {
    Map<String, FencedMethod> askable = new HashMap<>(methods);
    askable
        .values()
        .removeIf(
            method ->
                !isAskable(method)
                    || !declares(candidate.activityInterface(), method)
                    || !ResultTypes.fit(candidate.reconciler(), method.method()));
    Set<String> named = candidate.reconciler().activityTypes();
    if (named.isEmpty()) {
      return Set.of(theOnly(candidate, askable));
    }
    if (!askable.keySet().containsAll(named)) {
      throw refused(
          candidate, "names activity types " + named + ", of which not all are methods it fits");
    }
    return named;
  }

  private static boolean isAskable(FencedMethod method) {
    return switch (method.upstream()) {
      case VERIFIABLE, HONOURS_KEY -> true;
      case SAME_TRANSACTION, OPAQUE -> false;
    };
  }

  private static boolean declares(Class<?> type, FencedMethod method) {
    return method.method().getDeclaringClass().isAssignableFrom(type);
  }

  private static String theOnly(RegisteredReconciler candidate, Map<String, FencedMethod> askable) {
    Set<String> types = typesOf(askable, UpstreamContract.VERIFIABLE);
    if (types.isEmpty()) {
      types = typesOf(askable, UpstreamContract.HONOURS_KEY);
    }
    if (types.size() != 1) {
      throw refused(
          candidate,
          types.isEmpty()
              ? "fits no method: a VERIFIABLE or HONOURS_KEY one that returns what it gives"
              : "fits several methods " + types + ": name those it is for in activityTypes()");
    }
    return types.iterator().next();
  }

  private static Set<String> typesOf(Map<String, FencedMethod> methods, UpstreamContract contract) {
    return methods.entrySet().stream()
        .filter(method -> method.getValue().upstream() == contract)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  private static IllegalArgumentException refused(RegisteredReconciler candidate, String why) {
    return new IllegalArgumentException(named(candidate, why));
  }

  private static String named(RegisteredReconciler candidate, String what) {
    return "the reconciler "
        + candidate.reconciler().getClass().getName()
        + " for "
        + candidate.activityInterface().getName()
        + " "
        + what;
  }
}
