package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.Objects;

/** One operation of a binding that was rotated, and the person who rebinds it. */
abstract class RebindBed extends ActBed {
  RebindBed(EmbeddedLedger ledger) {
    super(ledger);
  }

  /** The order that moves it one generation on, as it stands now. */
  Rebind order(Rebind.Mode mode) {
    return order(document, mode);
  }

  Rebind order(Reservation operation, Rebind.Mode mode) {
    // a read would confirm its receipt, and so write
    OperationView now =
        acts.show(operation.scope(), operation.operation()).orElseThrow().operation();
    return new Rebind(
        mode,
        Tuple.of(now.reservation(), now.epoch()),
        new Generation(now.reservation().generation().value() + 1));
  }

  ActOutcome rebind(Rebind.Mode mode) {
    return rebind(terms(document), mode);
  }

  ActOutcome rebind(ActTerms terms, Rebind.Mode mode) {
    return acts.rebind(terms, order(mode));
  }

  /** The same request under another generation. */
  static Reservation in(Reservation of, long generation) {
    return new Reservation(
        of.scope(), of.operation(), of.fingerprint(), new Generation(generation), of.resource());
  }

  Claim claimIn(long generation, OpenAttemptRule rule) {
    ClaimRequest plain = SettlementBed.request(in(document, generation));
    return bed.jooq.claim(
        new ClaimRequest(
            plain.reservation(),
            plain.claimId(),
            plain.worker(),
            plain.origin(),
            plain.leaseFor(),
            plain.dispatchWithin(),
            plain.inFlight(),
            plain.margin(),
            rule,
            plain.policy(),
            plain.gates()));
  }

  Claim claimIn(long generation) {
    return claimIn(generation, new OpenAttemptRule.RolledBack());
  }

  Completion completion() {
    return Objects.requireNonNull(story().operation().completion());
  }
}
