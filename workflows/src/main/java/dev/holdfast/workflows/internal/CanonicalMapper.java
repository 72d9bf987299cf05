package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.type.CollectionType;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import dev.holdfast.NotInFingerprint;
import java.lang.reflect.RecordComponent;
import java.util.Locale;
import java.util.TimeZone;

/**
 * The one mapper behind fingerprints, never the user's: its settings are part of the scheme. Sees
 * the members that Temporal's default converter sends.
 */
final class CanonicalMapper {
  private CanonicalMapper() {}

  static ObjectMapper create() {
    JsonFactory factory =
        JsonFactory.builder()
            // else NaN and the text "NaN" would be one
            .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
            .streamReadConstraints(
                StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
            .build();
    return JsonMapper.builder(factory)
        .visibility(PropertyAccessor.FIELD, JsonAutoDetect.Visibility.ANY)
        .defaultLocale(Locale.ROOT)
        .defaultTimeZone(TimeZone.getTimeZone("UTC"))
        .annotationIntrospector(new LeftOut())
        .addModule(new Jdk8Module())
        .addModule(new CanonicalTypes().setSerializerModifier(new SetsInOrder()))
        .build();
  }

  /** Leaves marked record components out, at every depth. */
  private static final class LeftOut extends JacksonAnnotationIntrospector {
    @Override
    public boolean hasIgnoreMarker(AnnotatedMember member) {
      return super.hasIgnoreMarker(member) || isMarked(member);
    }

    private static boolean isMarked(AnnotatedMember member) {
      Class<?> owner = member.getDeclaringClass();
      if (!owner.isRecord()) {
        return false;
      }
      for (RecordComponent component : owner.getRecordComponents()) {
        if (component.getName().equals(member.getName())) {
          return component.isAnnotationPresent(NotInFingerprint.class);
        }
      }
      return false;
    }
  }

  private static final class SetsInOrder extends BeanSerializerModifier {
    @Override
    public JsonSerializer<?> modifyCollectionSerializer(
        SerializationConfig config,
        CollectionType type,
        BeanDescription description,
        JsonSerializer<?> serializer) {
      return new SetSerializer(serializer);
    }
  }
}
