package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.Objects;

/** How much the server has written ahead, for tests that expect nothing. */
final class Wal {
  private Wal() {}

  /** What was inserted meanwhile, by whomever: quiet servers only. */
  static long writtenBy(EmbeddedLedger ledger, Runnable work) {
    String before = position(ledger);
    work.run();
    return Objects.requireNonNull(
        ledger
            .sql()
            .fetchSingle("select (pg_current_wal_insert_lsn() - ?::pg_lsn)::bigint", before)
            .get(0, Long.class));
  }

  private static String position(EmbeddedLedger ledger) {
    return Objects.requireNonNull(
        ledger.sql().fetchSingle("select pg_current_wal_insert_lsn()::text").get(0, String.class));
  }
}
