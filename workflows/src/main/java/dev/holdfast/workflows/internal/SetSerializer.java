package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.type.WritableTypeId;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.io.StringWriter;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a set's elements in the order of their canonical texts, other collections as they are. The
 * runtime type decides: a {@code Collection} may hold a set.
 */
final class SetSerializer extends StdSerializer<Object> implements ContextualSerializer {
  private final JsonSerializer<Object> elements;

  @SuppressWarnings("unchecked")
  SetSerializer(JsonSerializer<?> elements) {
    super(Object.class);
    this.elements = (JsonSerializer<Object>) elements;
  }

  @Override
  public JsonSerializer<?> createContextual(
      SerializerProvider provider, @Nullable BeanProperty property) throws JsonMappingException {
    return new SetSerializer(provider.handleSecondaryContextualization(elements, property));
  }

  @Override
  public boolean isEmpty(SerializerProvider provider, Object value) {
    return elements.isEmpty(provider, value);
  }

  @Override
  public void serialize(Object value, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    if (value instanceof Set<?>) {
      out.writeStartArray();
      writeSorted(value, out, provider);
      out.writeEndArray();
    } else {
      elements.serialize(value, out, provider);
    }
  }

  @Override
  public void serializeWithType(
      Object value, JsonGenerator out, SerializerProvider provider, TypeSerializer tags)
      throws IOException {
    if (value instanceof Set<?>) {
      WritableTypeId tag = tags.writeTypePrefix(out, tags.typeId(value, JsonToken.START_ARRAY));
      writeSorted(value, out, provider);
      tags.writeTypeSuffix(out, tag);
    } else {
      elements.serializeWithType(value, out, provider, tags);
    }
  }

  private void writeSorted(Object value, JsonGenerator out, SerializerProvider provider)
      throws IOException {
    JsonFactory factory = out.getCodec().getFactory();
    StringWriter text = new StringWriter();
    int depth = out instanceof DepthGuard guard ? guard.depth() : 0;
    try (JsonGenerator aside = new DepthGuard(factory.createGenerator(text), depth)) {
      elements.serialize(value, aside, provider);
    }
    for (String element : CanonicalText.sortedElements(factory, text.toString())) {
      out.writeRawValue(element);
    }
  }
}
