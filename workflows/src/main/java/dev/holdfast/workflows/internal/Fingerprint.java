package dev.holdfast.workflows.internal;

import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes request fingerprints of scheme {@code fp1}, described in {@code docs/fp1.md}. Pure. */
public final class Fingerprint {
  /** The name of the scheme. */
  public static final String SCHEME = "fp1";

  private Fingerprint() {}

  /**
   * The fingerprint of a call: scope, operation type and the arguments that the effect depends on.
   *
   * @throws io.temporal.failure.ApplicationFailure {@code InvalidOperation}: an argument has no
   *     canonical form
   */
  public static RequestFingerprint of(
      FencedMethod method, Scope scope, @Nullable Object[] arguments) {
    Type[] declared = method.method().getGenericParameterTypes();
    Map<String, String> texts = new TreeMap<>();
    for (int i = 0; i < arguments.length; i++) {
      if (!method.roles().isLeftOut(i)) {
        texts.put(Integer.toString(i), CanonicalJson.of(arguments[i], declared[i]));
      }
    }
    return ofTexts(scope, method.operationType(), texts);
  }

  /** An argument that is null is left out, so that a new trailing parameter changes nothing. */
  static RequestFingerprint ofTexts(Scope scope, String type, Map<String, String> arguments) {
    return new RequestFingerprint(SCHEME, Sha256.ofUtf8(canonical(scope, type, arguments)));
  }

  static String canonical(Scope scope, String type, Map<String, String> arguments) {
    String members =
        new TreeMap<>(arguments)
            .entrySet().stream()
                .filter(argument -> !argument.getValue().equals("null"))
                .map(
                    argument -> CanonicalText.quoted(argument.getKey()) + ":" + argument.getValue())
                .collect(Collectors.joining(",", "{", "}"));
    return "{\"arguments\":%s,\"scheme\":\"%s\",\"scope\":%s,\"type\":%s}"
        .formatted(
            members, SCHEME, CanonicalText.quoted(scope.value()), CanonicalText.quoted(type));
  }
}
