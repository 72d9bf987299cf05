package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import dev.holdfast.BindingRef;
import dev.holdfast.OperationRef;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Base64;
import java.util.Calendar;
import java.util.Date;
import java.util.function.Function;

/** The types whose canonical form the scheme itself says, whatever annotations stand on members. */
final class CanonicalTypes extends SimpleModule {
  CanonicalTypes() {
    super("holdfast-fp1");
    // a moment is a moment: the zone it was written in differs between machines
    text(Instant.class, Instant::toString);
    text(OffsetDateTime.class, time -> time.toInstant().toString());
    text(ZonedDateTime.class, time -> time.toInstant().toString());
    text(Date.class, time -> time.toInstant().toString());
    text(Calendar.class, time -> time.toInstant().toString());
    text(LocalDate.class, LocalDate::toString);
    text(LocalTime.class, LocalTime::toString);
    text(LocalDateTime.class, LocalDateTime::toString);
    text(OffsetTime.class, OffsetTime::toString);
    text(Year.class, Year::toString);
    text(YearMonth.class, YearMonth::toString);
    text(MonthDay.class, MonthDay::toString);
    text(Period.class, Period::toString);
    text(Duration.class, Duration::toString);
    text(ZoneId.class, ZoneId::getId);
    text(ByteString.class, bytes -> Base64.getEncoder().encodeToString(bytes.toByteArray()));
    value(MessageLite.class, CanonicalTypes::writeMessage);
    value(OperationRef.class, CanonicalTypes::writeRef);
    // the generation is compared apart: a rebind changes it, and the request stays what it is
    text(BindingRef.class, binding -> binding.name().value());
  }

  private <T> void text(Class<T> type, Function<? super T, String> text) {
    value(type, (value, out) -> out.writeString(text.apply(value)));
    addKeySerializer(type, new Form<T>((value, out) -> out.writeFieldName(text.apply(value))));
  }

  private <T> void value(Class<T> type, Written<T> form) {
    addSerializer(type, new Form<>(form));
  }

  private static void writeMessage(MessageLite message, JsonGenerator out) throws IOException {
    byte[] bytes = new byte[message.getSerializedSize()];
    CodedOutputStream target = CodedOutputStream.newInstance(bytes);
    target.useDeterministicSerialization();
    message.writeTo(target);
    target.flush();
    String name =
        message instanceof Message full
            ? full.getDescriptorForType().getFullName()
            : message.getClass().getName();
    out.writeStartObject();
    out.writeStringField("protobuf", name);
    out.writeStringField("bytes", Base64.getEncoder().encodeToString(bytes));
    out.writeEndObject();
  }

  /** Only the name: epoch and receipt change when an export runs again, the request does not. */
  private static void writeRef(OperationRef ref, JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("scope", ref.scope().value());
    out.writeStringField("operation", ref.operation().text());
    out.writeEndObject();
  }

  /** Writes a value in its canonical form. */
  @FunctionalInterface
  private interface Written<T> {
    void write(T value, JsonGenerator out) throws IOException;
  }

  private static final class Form<T> extends JsonSerializer<T> {
    private final Written<T> form;

    Form(Written<T> form) {
      this.form = form;
    }

    @Override
    public void serialize(T value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      form.write(value, out);
    }

    @Override
    public void serializeWithType(
        T value, JsonGenerator out, SerializerProvider provider, TypeSerializer tags)
        throws IOException {
      form.write(value, out);
    }
  }
}
