package dev.holdfast.cli;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Row;
import dev.holdfast.ledger.testbed.Rows;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;

/** A ledger, and the tool run against it within this process. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class CliBed {
  static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678901Z");
  static final UUID CLAIM = UUID.fromString("00000000-0000-0000-0000-00000000c1a1");

  private static final AtomicInteger KEYS = new AtomicInteger();

  final EmbeddedLedger ledger;
  final OperatorActs acts;
  final Reservation document = Rows.reservation("doc-" + KEYS.incrementAndGet());
  final LedgerClock clock;

  CliBed(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.acts = JooqLedger.open(ledger.pool(1), LedgerOptions.standard()).acts();
    this.clock = LedgerClock.of(ledger);
  }

  @AfterEach
  void restoreTheClock() {
    clock.close();
  }

  /** What one run left on its streams. */
  record Run(int code, String out, String err) {}

  /** Within this process, against this ledger. */
  Run run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--jdbc-url=" + ledger.jdbcUrl());
    return bare(all.toArray(String[]::new));
  }

  static Run bare(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code = HoldfastCli.run(new PrintWriter(out), new PrintWriter(err), arguments);
    return new Run(code, out.toString(), err.toString());
  }

  /** A person's act on the document, nobody told. */
  Run act(String verb, String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                verb,
                "--scope=tenant",
                document.operation().text(),
                "--actor=ann",
                "--reason=asked by phone",
                "--no-signal"));
    all.addAll(List.of(arguments));
    return run(all.toArray(String[]::new));
  }

  /** Parked, its only attempt a minute old; a request of it may land for two hours more. */
  Row parked() {
    return Rows.of(ledger)
        .parked(document, "open_attempt")
        .with(OPERATION.CLAIM_ID, CLAIM)
        .with(OPERATION.WORKFLOW_ID, "workflow-1")
        .with(OPERATION.RUN_ID, "run-1");
  }

  Row parkedPastItsHorizon() {
    return parked().with(OPERATION.HORIZON_AT, clock.now().minusSeconds(1));
  }

  OperationStory story() {
    return acts.show(document.scope(), document.operation()).orElseThrow();
  }
}
