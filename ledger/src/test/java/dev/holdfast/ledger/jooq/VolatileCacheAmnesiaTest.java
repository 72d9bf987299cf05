package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.OwnServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Hazard 4 of the seed: what was done is remembered in memory alone, and forgotten in a crash. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class VolatileCacheAmnesiaTest {
  private static OwnServer server;

  @BeforeAll
  static void start() {
    server =
        OwnServer.started(
            Map.of(
                "synchronous_commit", "off",
                "wal_writer_delay", "10s",
                "wal_writer_flush_after", "64MB"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** What a process of its own would open. */
  private static JooqLedger another() {
    return JooqLedger.open(server.ledger().dataSource(), LedgerOptions.standard());
  }

  private static void crash() {
    server.killHard();
    server.restart();
  }

  @Test
  void every_process_sees_the_one_receipt() {
    Asking asking = Asking.about("two-processes");
    SettleOutcome.Committed committed = asking.committed(another());

    assertThat(asking.claim(another()))
        .isInstanceOfSatisfying(
            Claim.Replay.class,
            replay -> assertThat(replay.completion()).isEqualTo(committed.receipt().completion()));
  }

  @Test
  void a_crash_of_the_server_forgets_none() {
    Asking asking = Asking.about("crash");
    JooqLedger ledger = another();
    SettleOutcome.Committed committed = asking.committed(ledger);
    ledger.release(committed.permit());
    crash();

    assertThat(asking.claim(another()))
        .isInstanceOfSatisfying(
            Claim.Replay.class,
            replay -> assertThat(replay.completion()).isEqualTo(committed.receipt().completion()));
  }

  @Test
  void without_the_level_that_is_raised_in_the_statement_it_is_forgotten() {
    assertThatThrownBy(() -> Asking.about("refused").committed(careless().ledger()))
        .as("the database's own guard is the second one")
        .hasMessageContaining("23514");
    server.ledger().sql().execute("drop trigger receipt_sound on receipt");
    server.checkpoint();
    // the writer of such commits may just wake between commit and crash: not five times
    boolean forgotten = false;
    for (int round = 0; round < 5 && !forgotten; round++) {
      Asking asking = Asking.about("forgotten-" + round);
      Unguarded without = careless();
      asking.committed(without.ledger());
      assertThat(without.isMet()).isTrue();
      crash();
      forgotten = asking.claim(another()) instanceof Claim.Granted;
    }
    assertThat(forgotten).as("done, and to be done again").isTrue();
  }

  private static Unguarded careless() {
    return Unguarded.over(server.ledger().dataSource()).with("else 'on' end", "else 'off' end");
  }
}
