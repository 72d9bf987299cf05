package dev.holdfast.ledger.testbed;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * The only seam of time: replaces the body of the schema's {@code ledger_clock()}, for statements
 * and triggers alike, in this ledger alone. Closing it restores the database's own clock.
 *
 * <p>A statement that has begun keeps the clock it began with.
 */
public final class LedgerClock implements AutoCloseable {
  private final EmbeddedLedger ledger;

  private LedgerClock(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  /** Takes the clock of this ledger over; it runs on unchanged until told otherwise. */
  public static LedgerClock of(EmbeddedLedger ledger) {
    return new LedgerClock(ledger);
  }

  /** Runs on, that far from the database's own clock; negative goes back. */
  public void shift(Duration by) {
    replaceBody("clock_timestamp() + interval '" + by.toNanos() / 1_000 + " microseconds'");
  }

  /** Stands still. */
  public void stopAt(Instant instant) {
    replaceBody("timestamptz '" + instant + "'");
  }

  /** Stands still where it is now; yields that instant. */
  public Instant stop() {
    Instant now = now();
    stopAt(now);
    return now;
  }

  /** Runs that many times as fast as the database's own, from now on. */
  public void runAt(double speed) {
    Instant now = now();
    replaceBody(
        "timestamptz '%s' + (clock_timestamp() - timestamptz '%s') * %s"
            .formatted(now, now, speed));
  }

  /** What the ledger's clock shows. */
  public Instant now() {
    return Objects.requireNonNull(
        ledger.sql().fetchSingle("select ledger_clock()").get(0, Instant.class));
  }

  @Override
  public void close() {
    replaceBody("clock_timestamp()");
  }

  private void replaceBody(String expression) {
    ledger
        .sql()
        .execute(
            "create or replace function ledger_clock() returns timestamptz"
                + " language sql volatile parallel safe as $$ select "
                + expression
                + " $$");
  }
}
