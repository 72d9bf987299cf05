package dev.holdfast.activities;

import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.extension.ExtendWith;

/** Workers on a ledger whose clock the test moves, before an upstream that counts. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class MovedClockBed {
  final EmbeddedLedger ledger;
  final OperationRows rows;
  final LedgerClock clock;
  final WorkerBed bed = new WorkerBed();
  final Upstream upstream = new Upstream();

  MovedClockBed(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
    this.clock = LedgerClock.of(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
    clock.close();
  }
}
