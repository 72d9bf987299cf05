package dev.holdfast.activities.bed;

import com.google.protobuf.ByteString;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.common.v1.Payloads;
import io.temporal.common.converter.ByteArrayPayloadConverter;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.common.converter.Jackson3JsonPayloadConverter;
import io.temporal.common.converter.JacksonJsonPayloadConverter;
import io.temporal.common.converter.NullPayloadConverter;
import io.temporal.common.converter.PayloadConverter;
import io.temporal.common.converter.ProtobufPayloadConverter;
import io.temporal.payload.codec.ZlibPayloadCodec;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The converters that a client may have. */
public enum Converters {
  /** The SDK's own: Jackson 2, protobuf as JSON. */
  DEFAULT,

  /** Jackson 3 with its own defaults. */
  JACKSON_3,

  /** Jackson 3 that writes as Jackson 2 does. */
  JACKSON_3_AS_2,

  /** Protobuf as bytes, and an encoding of the user's own before the SDK's. */
  OWN_ENCODING,

  /** Encrypted. */
  ENCRYPTED,

  /** Compressed by the SDK's codec, which lets small payloads be. */
  COMPRESSED,

  /** A whole converter of the user's own around the SDK's, with an encoding that no codec knows. */
  WRAPPED;

  /** A new one. */
  public DataConverter converter() {
    return switch (this) {
      case DEFAULT -> DefaultDataConverter.newDefaultInstance();
      case JACKSON_3 -> json(new Jackson3JsonPayloadConverter(mapper(false)));
      case JACKSON_3_AS_2 -> json(new Jackson3JsonPayloadConverter(mapper(true)));
      case OWN_ENCODING ->
          new DefaultDataConverter(
              new NullPayloadConverter(),
              new ItemConverter(),
              new ByteArrayPayloadConverter(),
              new ProtobufPayloadConverter(),
              new JacksonJsonPayloadConverter());
      case ENCRYPTED -> AesGcm.converter("k1");
      case COMPRESSED ->
          new CodecDataConverter(
              DefaultDataConverter.newDefaultInstance(), List.of(new ZlibPayloadCodec()));
      case WRAPPED -> new Turned(DefaultDataConverter.newDefaultInstance());
    };
  }

  private static JsonMapper mapper(boolean asJackson2) {
    return Jackson3JsonPayloadConverter.newDefaultJsonMapper(asJackson2);
  }

  private static DataConverter json(PayloadConverter json) {
    return DefaultDataConverter.newDefaultInstance().withPayloadConverterOverrides(json);
  }

  /** Items as text. */
  private static final class ItemConverter implements PayloadConverter {
    @Override
    public String getEncodingType() {
      return "text/item";
    }

    @Override
    public Optional<Payload> toData(@Nullable Object value) {
      return value instanceof ResultsWorkflow.Item(String name, int count)
          ? Optional.of(
              Payload.newBuilder()
                  .putMetadata("encoding", ByteString.copyFromUtf8(getEncodingType()))
                  .setData(ByteString.copyFromUtf8(name + " " + count))
                  .build())
          : Optional.empty();
    }

    @Override
    public <T> T fromData(Payload content, Class<T> type, Type genericType) {
      List<String> parts = List.of(content.getData().toStringUtf8().split(" ", -1));
      return type.cast(
          new ResultsWorkflow.Item(parts.getFirst(), Integer.parseInt(parts.getLast())));
    }
  }

  /** Turns the bytes of each payload round; is no codec. */
  private record Turned(DataConverter inner) implements DataConverter {
    @Override
    public <T> Optional<Payload> toPayload(@Nullable T value) {
      return inner.toPayload(value).map(Turned::turned);
    }

    @Override
    public <T> T fromPayload(Payload payload, Class<T> type, Type genericType) {
      return inner.fromPayload(turned(payload), type, genericType);
    }

    @Override
    public Optional<Payloads> toPayloads(@Nullable Object... values) {
      return inner.toPayloads(values).map(Turned::all);
    }

    @Override
    public <T> T fromPayloads(
        int index, Optional<Payloads> content, Class<T> type, Type genericType) {
      return inner.fromPayloads(index, content.map(Turned::all), type, genericType);
    }

    private static Payloads all(Payloads payloads) {
      return Payloads.newBuilder()
          .addAllPayloads(payloads.getPayloadsList().stream().map(Turned::turned).toList())
          .build();
    }

    private static Payload turned(Payload payload) {
      byte[] bytes = payload.getData().toByteArray();
      for (int i = 0; i < bytes.length; i++) {
        bytes[i] = (byte) ~bytes[i];
      }
      return payload.toBuilder().setData(ByteString.copyFrom(bytes)).build();
    }
  }
}
