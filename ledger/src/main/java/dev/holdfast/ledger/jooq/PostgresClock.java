package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.name;

import java.time.Duration;
import java.time.Instant;
import org.jooq.Field;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/**
 * Time as the database tells it. The one place with SQL as text: of intervals jOOQ has no exact
 * idea ({@code timestamptz - timestamptz} is typed as a timestamp, {@code extract(epoch …)} as an
 * integer, which cuts a margin of 50 ms to nothing).
 *
 * <p>Spans travel as seconds, in microseconds precise; never {@code now()}, which stands still from
 * the start of a transaction on.
 */
final class PostgresClock {
  private static final double NANOS = 1e9;

  private final Field<Instant> now;
  private final Field<Long> timeline;
  private final Field<String> systemId;

  PostgresClock(String schema) {
    this.now = DSL.function(name(schema, "ledger_clock"), SQLDataType.INSTANT.nullable(false));
    this.timeline =
        DSL.function(name(schema, "ledger_timeline"), SQLDataType.BIGINT.nullable(false));
    this.systemId =
        DSL.function(name(schema, "ledger_system_id"), SQLDataType.VARCHAR.nullable(false));
  }

  /** Read anew at each place where it stands. */
  Field<Instant> now() {
    return now;
  }

  /** What each promotion of a standby raises. */
  Field<Long> timeline() {
    return timeline;
  }

  /** Which server this is; a standby that is promoted keeps it. */
  Field<String> systemId() {
    return systemId;
  }

  /** The clock in milliseconds: the floor of every fencing token. */
  Field<Long> nowMillis() {
    return DSL.field(
        "cast(floor(extract(epoch from {0}) * 1000) as bigint)", SQLDataType.BIGINT, now);
  }

  /** That many seconds later. */
  Field<Instant> after(Field<Instant> start, Field<Double> seconds) {
    return DSL.field("{0} + make_interval(secs => {1})", SQLDataType.INSTANT, start, seconds);
  }

  /** What is left at that instant, in microseconds; negative once it is over. */
  Field<Long> microsLeft(Field<Instant> end, Field<Instant> at) {
    return DSL.field(
        "cast(extract(epoch from {0} - {1}) * 1000000 as bigint)", SQLDataType.BIGINT, end, at);
  }

  /** An instant in microseconds since the epoch: the driver takes longer over an instant. */
  Field<Long> micros(Field<Instant> instant) {
    return DSL.field(
        "cast(extract(epoch from {0}) * 1000000 as bigint)", SQLDataType.BIGINT, instant);
  }

  /** As {@link #after} takes it. */
  static double seconds(Duration span) {
    return span.getSeconds() + span.getNano() / NANOS;
  }
}
