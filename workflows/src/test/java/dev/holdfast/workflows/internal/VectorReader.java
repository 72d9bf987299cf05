package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.Int64Value;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import dev.holdfast.EffectId;
import dev.holdfast.Epoch;
import dev.holdfast.Generation;
import dev.holdfast.LedgerIncarnation;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.ReceiptNumber;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Date;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds the Java value that a vector describes. */
final class VectorReader {
  private VectorReader() {}

  static @Nullable Object value(JsonNode node) {
    return switch (node.getNodeType()) {
      case NULL -> null;
      case BOOLEAN -> node.booleanValue();
      case STRING -> node.textValue();
      case ARRAY -> list(node);
      case OBJECT -> tagged(node.fieldNames().next(), node.elements().next(), node);
      case NUMBER, BINARY, MISSING, POJO -> throw new IllegalArgumentException(node.toString());
    };
  }

  private static List<@Nullable Object> list(JsonNode node) {
    List<@Nullable Object> values = new ArrayList<>();
    node.forEach(each -> values.add(value(each)));
    return values;
  }

  private static Object tagged(String tag, JsonNode in, JsonNode whole) {
    return switch (tag) {
      case "int" -> Integer.valueOf(in.textValue());
      case "long" -> Long.valueOf(in.textValue());
      case "bigint" -> new BigInteger(in.textValue());
      case "decimal" -> new BigDecimal(in.textValue());
      case "double" -> Double.valueOf(in.textValue());
      case "float" -> Float.valueOf(in.textValue());
      case "set" -> new LinkedHashSet<>(list(in));
      case "map" -> map(in);
      case "record" -> record(in.textValue(), whole.get("members"));
      case "uuid" -> UUID.fromString(in.textValue());
      case "enum" -> VectorTypes.Color.valueOf(in.textValue());
      case "bytes" -> HexFormat.of().parseHex(in.textValue());
      case "optional" -> Optional.ofNullable(value(in));
      case "protobuf" -> protobuf(in.textValue(), whole.get("wire").textValue());
      case "ref" -> ref(in);
      default -> time(tag, in);
    };
  }

  @SuppressWarnings("JavaUtilDate")
  private static Object time(String tag, JsonNode in) {
    return switch (tag) {
      case "instant" -> Instant.parse(in.textValue());
      case "offsetDateTime" -> OffsetDateTime.parse(in.textValue());
      case "zonedDateTime" -> ZonedDateTime.parse(in.textValue());
      case "date" -> new Date(in.longValue());
      case "localDate" -> LocalDate.parse(in.textValue());
      case "localTime" -> LocalTime.parse(in.textValue());
      case "localDateTime" -> LocalDateTime.parse(in.textValue());
      case "year" -> Year.parse(in.textValue());
      case "yearMonth" -> YearMonth.parse(in.textValue());
      case "monthDay" -> MonthDay.parse(in.textValue());
      case "period" -> Period.parse(in.textValue());
      case "duration" -> Duration.parse(in.textValue());
      case "zone" -> ZoneId.of(in.textValue());
      default -> throw new IllegalArgumentException("no value is tagged " + tag);
    };
  }

  private static Map<@Nullable Object, @Nullable Object> map(JsonNode entries) {
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    entries.forEach(entry -> map.put(value(entry.get(0)), value(entry.get(1))));
    return map;
  }

  /** Absent members are null; numbers and sets take the type that the component has. */
  private static Object record(String name, JsonNode members) {
    try {
      Class<?> type = Class.forName(VectorTypes.class.getName() + "$" + name);
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      @Nullable Object[] values = new @Nullable Object[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        JsonNode member = members.path(components[i].getName());
        values[i] = member.isMissingNode() ? null : member(value(member), types[i]);
      }
      return type.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(name, e);
    }
  }

  private static @Nullable Object member(@Nullable Object value, Class<?> type) {
    return type == BigDecimal.class && value instanceof Integer whole
        ? BigDecimal.valueOf(whole)
        : value;
  }

  private static Message protobuf(String name, String hex) {
    byte[] wire = HexFormat.of().parseHex(hex);
    try {
      return switch (name) {
        case "google.protobuf.StringValue" -> StringValue.parseFrom(wire);
        case "google.protobuf.Int64Value" -> Int64Value.parseFrom(wire);
        case "google.protobuf.Timestamp" -> Timestamp.parseFrom(wire);
        case "google.protobuf.Struct" -> Struct.parseFrom(wire);
        default -> throw new IllegalArgumentException(name);
      };
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalArgumentException(name, e);
    }
  }

  private static OperationRef ref(JsonNode in) {
    return new OperationRef(
        new Scope(in.get("scope").textValue()),
        OperationId.parse(in.get("operation").textValue()),
        new RequestFingerprint("fp1", "0".repeat(64)),
        Generation.NONE,
        new Epoch(in.get("epoch").intValue()),
        new EffectId("effect"),
        new ReceiptNumber(in.get("receipt").longValue()),
        new LedgerIncarnation(1, 1));
  }

  static Set<Integer> indices(JsonNode node) {
    Set<Integer> indices = new LinkedHashSet<>();
    node.forEach(each -> indices.add(each.intValue()));
    return indices;
  }
}
