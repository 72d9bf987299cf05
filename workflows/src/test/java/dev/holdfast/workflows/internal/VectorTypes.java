package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.holdfast.NotInFingerprint;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The records that vectors name. */
final class VectorTypes {
  private VectorTypes() {}

  enum Color {
    RED,
    BLUE
  }

  record Item(@Nullable String name, @Nullable Integer amount) {}

  record Traced(String name, @NotInFingerprint String traceId) {}

  record Wrapped(Traced inner) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  @JsonSubTypes({
    @JsonSubTypes.Type(value = Circle.class, name = "circle"),
    @JsonSubTypes.Type(value = Disc.class, name = "disc")
  })
  interface Shape {}

  record Circle(BigDecimal radius) implements Shape {}

  record Disc(BigDecimal radius) implements Shape {}

  @SuppressWarnings("ArrayRecordComponent")
  record Everything(
      OffsetDateTime at,
      UUID id,
      LocalDate day,
      Duration length,
      Color color,
      byte[] raw,
      Set<String> names,
      Map<String, BigDecimal> amounts,
      Optional<String> note) {}

  /** Declares the types that a vector can ask for. */
  interface Declared {
    void shapes(List<Shape> shapes);
  }
}
