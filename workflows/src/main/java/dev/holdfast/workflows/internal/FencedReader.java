package dev.holdfast.workflows.internal;

import dev.holdfast.EvidenceGeneration;
import dev.holdfast.Fenced;
import dev.holdfast.OperationId;
import dev.holdfast.ResourceName;
import dev.holdfast.UpstreamContract;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads one {@code @Fenced} and refuses what it cannot keep; every message names the cure. */
final class FencedReader {
  private FencedReader() {}

  /**
   * @param method the interface's method, whose types arguments have
   * @param marked the method that bears the annotations: the same one, or the class's
   */
  static FencedMethod read(String activityType, Method method, Method marked, Fenced fenced) {
    refuseTypeVariables(method);
    Optional<Duration> keyHorizon = duration(marked, "keyHorizon", fenced.keyHorizon());
    if (fenced.upstream() == UpstreamContract.HONOURS_KEY && keyHorizon.isEmpty()) {
      throw ParameterReader.refused(
          marked,
          "upstream = HONOURS_KEY needs keyHorizon, the time for which the upstream remembers a"
              + " key, such as \"PT24H\"");
    }
    ParameterRoles roles = ParameterReader.read(marked);
    if (fenced.evidenceGeneration() == EvidenceGeneration.LIVE && !roles.hasBinding()) {
      throw ParameterReader.refused(
          marked,
          "evidenceGeneration = LIVE needs the binding whose live generation is meant: mark its"
              + " parameter with @BoundTo");
    }
    return new FencedMethod(
        method,
        operationType(marked, fenced.operation().isEmpty() ? activityType : fenced.operation()),
        fenced.upstream(),
        keyHorizon,
        duration(marked, "inFlight", fenced.inFlight()),
        fenced.keyScope(),
        resource(marked, fenced.resource()),
        fenced.evidence(),
        fenced.whenUnknown(),
        fenced.payloadPolicy(),
        fenced.terminalPolicy(),
        fenced.evidenceGeneration(),
        roles);
  }

  private static String operationType(Method method, String type) {
    try {
      return new OperationId(type, "key").type();
    } catch (IllegalArgumentException e) {
      throw ParameterReader.refused(method, String.valueOf(e.getMessage()));
    }
  }

  private static Optional<ResourceName> resource(Method method, String name) {
    try {
      return name.isEmpty() ? Optional.empty() : Optional.of(new ResourceName(name));
    } catch (IllegalArgumentException e) {
      throw ParameterReader.refused(method, String.valueOf(e.getMessage()));
    }
  }

  private static Optional<Duration> duration(Method method, String member, String text) {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      Duration duration = Duration.parse(text);
      if (duration.isPositive()) {
        return Optional.of(duration);
      }
    } catch (DateTimeParseException e) {
      // the same cure as for one that is not positive
    }
    throw ParameterReader.refused(
        method, member + " is not an ISO-8601 duration above zero such as \"PT24H\"");
  }

  /** Temporal decodes such an argument into a map, so the worker would see another request. */
  private static void refuseTypeVariables(Method method) {
    Stream<Type> types =
        Stream.concat(
            Stream.of(method.getGenericParameterTypes()), Stream.of(method.getGenericReturnType()));
    if (types.anyMatch(FencedReader::hasVariable)) {
      throw ParameterReader.refused(
          method, "its types have type variables, which Temporal cannot decode; name the types");
    }
  }

  private static boolean hasVariable(Type type) {
    return switch (type) {
      case TypeVariable<?> variable -> true;
      case ParameterizedType generic ->
          Stream.of(generic.getActualTypeArguments()).anyMatch(FencedReader::hasVariable);
      case GenericArrayType array -> hasVariable(array.getGenericComponentType());
      case WildcardType wildcard ->
          Stream.concat(Stream.of(wildcard.getUpperBounds()), Stream.of(wildcard.getLowerBounds()))
              .anyMatch(FencedReader::hasVariable);
      default -> false;
    };
  }
}
