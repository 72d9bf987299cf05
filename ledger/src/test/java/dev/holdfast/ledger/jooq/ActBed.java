package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One operation, those who report about it, and the person who decides. */
abstract class ActBed extends ResolverBed {
  static final Sha256 SHOWN = Sha256.ofUtf8("a letter of the upstream's");
  static final SettledFailure NO_SUCH = new SettledFailure("no_such", 404);

  final EmbeddedLedger ledger;
  final OperatorActs acts;

  ActBed(EmbeddedLedger ledger) {
    super(ledger);
    this.ledger = ledger;
    this.acts = bed.jooq.acts();
  }

  static ActTerms terms(Reservation of, @Nullable Revision expected, boolean dryRun) {
    return new ActTerms(
        of.scope(), of.operation(), expected, "ann", "the upstream was asked by phone", dryRun);
  }

  static ActTerms terms(Reservation of) {
    return terms(of, null, false);
  }

  ActOutcome resolve(Decision decision) {
    return acts.resolve(terms(document), decision);
  }

  ActOutcome.Done done(ActOutcome outcome) {
    assertThat(outcome).isInstanceOf(ActOutcome.Done.class);
    return (ActOutcome.Done) outcome;
  }

  static Decision.Happened happened(@Nullable String effect) {
    return happened(effect, null);
  }

  static Decision.Happened happened(@Nullable String effect, @Nullable ClaimId attempt) {
    return new Decision.Happened(
        effect == null ? null : new EffectId(effect), 200, SHOWN, result("as told"), attempt);
  }

  static Decision didNotHappen() {
    return new Decision.DidNotHappen(false);
  }

  static Decision didNotHappenWhateverMayLand() {
    return new Decision.DidNotHappen(true);
  }

  static Decision receiptStands() {
    return new Decision.ReceiptStands();
  }

  static Decision failed() {
    return new Decision.Failed(NO_SUCH, false);
  }

  /** Its attempt open, waiting for a person. */
  Lease parked() {
    Lease lease = bed.claim(document);
    end(lease, UNCLEAR);
    park(document);
    return lease;
  }

  /** Completed with this effect by the first, seen with another one by the second. */
  Lease conflict(String effect) {
    Lease first = bed.claimBriefly(document);
    Lease second = bed.claim(document);
    settle(second, effect);
    settle(first, "effect-of-the-first");
    return second;
  }

  /** Failed by one attempt, seen to have succeeded by the other. */
  void conflictWithoutReceipt() {
    Lease first = bed.claimBriefly(document);
    bed.pass(Duration.ofMinutes(2));
    end(bed.claim(document), FAILED);
    settle(first, "effect-1");
  }

  /** No request of now may land any more. */
  void passTheHorizon() {
    bed.pass(SettlementBed.LEASE.multipliedBy(2).plusSeconds(1));
  }

  Claim claim() {
    return bed.jooq.claim(SettlementBed.request(document));
  }

  OperationStory story() {
    return acts.show(document.scope(), document.operation()).orElseThrow();
  }

  Revision revision() {
    return story().operation().revision();
  }
}
