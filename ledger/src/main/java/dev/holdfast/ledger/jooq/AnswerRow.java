package dev.holdfast.ledger.jooq;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/** The row that a statement answered, read by the fields it was written with. */
final class AnswerRow {
  private final ResultSet row;

  AnswerRow(ResultSet row) {
    this.row = row;
  }

  boolean has(Field<?> field) throws SQLException {
    return row.getObject(field.getName()) != null;
  }

  long number(Field<Long> field) throws SQLException {
    return row.getLong(field.getName());
  }

  int integer(Field<Integer> field) throws SQLException {
    return row.getInt(field.getName());
  }

  boolean flag(Field<Boolean> field) throws SQLException {
    return row.getBoolean(field.getName());
  }

  @Nullable String text(Field<String> field) throws SQLException {
    return row.getString(field.getName());
  }

  String givenText(Field<String> field) throws SQLException {
    return Objects.requireNonNull(text(field), field::getName);
  }

  byte @Nullable [] bytes(Field<byte[]> field) throws SQLException {
    return row.getBytes(field.getName());
  }

  byte[] givenBytes(Field<byte[]> field) throws SQLException {
    return Objects.requireNonNull(bytes(field), field::getName);
  }

  UUID uuid(Field<UUID> field) throws SQLException {
    return Objects.requireNonNull(row.getObject(field.getName(), UUID.class), field::getName);
  }

  Instant instant(Field<Instant> field) throws SQLException {
    return Objects.requireNonNull(
            row.getObject(field.getName(), OffsetDateTime.class), field::getName)
        .toInstant();
  }

  Instant instantOfMicros(Field<Long> field) throws SQLException {
    return Instant.EPOCH.plus(number(field), ChronoUnit.MICROS);
  }

  Duration micros(Field<Long> field) throws SQLException {
    return Duration.of(number(field), ChronoUnit.MICROS);
  }
}
