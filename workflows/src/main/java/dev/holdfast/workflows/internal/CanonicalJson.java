package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.exc.InvalidDefinitionException;
import dev.holdfast.HoldfastFailures;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One text for one value, whatever made it: the canonical form of scheme {@code fp1}, described in
 * {@code docs/fp1.md}. Pure; safe for any thread.
 */
public final class CanonicalJson {
  private static final ObjectMapper MAPPER = CanonicalMapper.create();
  private static final int SHOWN_PATH = 8;

  private CanonicalJson() {}

  /**
   * The canonical text of this value.
   *
   * @param declared the declared type, which decides about subtype tags inside containers
   * @throws ApplicationFailure {@code InvalidOperation}: the value has no canonical form (not
   *     serialisable, cyclic, too deep, not a number, lone surrogate)
   */
  public static String of(@Nullable Object value, Type declared) {
    try {
      // through JSON text, because it holds every number exactly and is what a codec would see
      return CanonicalText.of(MAPPER.getFactory(), plainText(value, declared));
    } catch (IOException | RuntimeException e) {
      throw refused(e);
    }
  }

  private static String plainText(@Nullable Object value, Type declared) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator generator = new DepthGuard(MAPPER.getFactory().createGenerator(text), 0)) {
      writer(value, declared).writeValue(generator, value);
    }
    return text.toString();
  }

  /**
   * A container's elements need the declared type for their tags; anything else is written by its
   * runtime type, or members of a subtype would be lost.
   */
  private static ObjectWriter writer(@Nullable Object value, Type declared) {
    JavaType type = MAPPER.constructType(declared);
    boolean container = type.isContainerType() || type.isReferenceType();
    return container && type.getRawClass().isInstance(value)
        ? MAPPER.writerFor(type)
        : MAPPER.writer();
  }

  /** Neither cause nor message of a foreign exception go along: both can quote the payload. */
  private static ApplicationFailure refused(Exception e) {
    String where = e instanceof JsonMappingException mapping ? path(mapping) : "";
    return HoldfastFailures.invalidOperation(
        "fingerprint", "an argument has no canonical form" + where + ": " + reason(e));
  }

  private static String reason(Exception e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return switch (root) {
      case UnfitValueException ours -> String.valueOf(ours.getMessage());
      case InvalidDefinitionException unknown when unknown.getType() != null ->
          unknown.getType().getRawClass().getName() + " cannot be written as JSON";
      default -> root.getClass().getSimpleName();
    };
  }

  /** Names of members, but not the keys of maps. */
  private static String path(JsonMappingException e) {
    String path =
        e.getPath().stream()
            .filter(step -> step.getFieldName() != null && !(step.getFrom() instanceof Map))
            .limit(SHOWN_PATH)
            .map(JsonMappingException.Reference::getFieldName)
            .collect(Collectors.joining("."));
    return path.isEmpty() ? "" : " at " + path;
  }
}
