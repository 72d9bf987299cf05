package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.jooq.Select;
import org.jooq.impl.DSL;

/** How much the server has written ahead, for tests that expect nothing. */
final class Wal {
  private static final Select<?> VACUUMING =
      DSL.selectOne().from("pg_stat_activity").where("backend_type like 'autovacuum%'");

  private Wal() {}

  /** What was inserted meanwhile, by whomever but a vacuum: quiet servers only. */
  static long writtenBy(EmbeddedLedger ledger, Runnable work) {
    stopVacuum(ledger);
    String before = position(ledger);
    work.run();
    return Objects.requireNonNull(
        ledger
            .sql()
            .fetchSingle("select (pg_current_wal_insert_lsn() - ?::pg_lsn)::bigint", before)
            .get(0, Long.class));
  }

  /** For good: what earlier tests left behind is vacuumed at an instant of the server's choice. */
  private static void stopVacuum(EmbeddedLedger ledger) {
    ledger.sql().execute("alter system set autovacuum = off");
    ledger.sql().execute("select pg_reload_conf()");
    Awaitility.await().until(() -> ledger.sql().fetchCount(VACUUMING) == 0);
  }

  private static String position(EmbeddedLedger ledger) {
    return Objects.requireNonNull(
        ledger.sql().fetchSingle("select pg_current_wal_insert_lsn()::text").get(0, String.class));
  }
}
