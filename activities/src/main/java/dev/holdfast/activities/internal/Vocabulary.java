package dev.holdfast.activities.internal;

import dev.holdfast.BindingName;
import dev.holdfast.EffectId;
import dev.holdfast.Epoch;
import dev.holdfast.Generation;
import dev.holdfast.KeyDigest;
import dev.holdfast.LedgerIncarnation;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.PayloadPolicy;
import dev.holdfast.ReceiptNumber;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import dev.holdfast.TerminalPolicy;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.SettlementPolicy;

/**
 * Says the workflow side's words in the ledger's and back. The two sides share no types, because
 * neither may know the other.
 */
final class Vocabulary {
  private Vocabulary() {}

  static dev.holdfast.ledger.Scope ledger(Scope scope) {
    return new dev.holdfast.ledger.Scope(scope.value());
  }

  static dev.holdfast.ledger.OperationId ledger(OperationId operation) {
    return new dev.holdfast.ledger.OperationId(operation.type(), operation.key());
  }

  static dev.holdfast.ledger.RequestFingerprint ledger(RequestFingerprint fingerprint) {
    return new dev.holdfast.ledger.RequestFingerprint(
        fingerprint.scheme(), new Sha256(fingerprint.sha256()));
  }

  static dev.holdfast.ledger.Generation ledger(Generation generation) {
    return new dev.holdfast.ledger.Generation(generation.value());
  }

  static dev.holdfast.ledger.BindingName ledger(BindingName binding) {
    return new dev.holdfast.ledger.BindingName(binding.value());
  }

  static Completion ledger(OperationRef ref) {
    return new Completion(
        ledger(ref.scope()),
        ledger(ref.operation()),
        ledger(ref.fingerprint()),
        ledger(ref.generation()),
        new dev.holdfast.ledger.Epoch(ref.epoch().value()),
        new dev.holdfast.ledger.EffectId(ref.effect().value()),
        new dev.holdfast.ledger.ReceiptNumber(ref.receipt().value()),
        new LedgerPosition(Long.toString(ref.ledger().systemId()), ref.ledger().timeline()));
  }

  static SettlementPolicy policy(PayloadPolicy payload, TerminalPolicy terminal) {
    return new SettlementPolicy(
        switch (payload) {
          case CONFLICT -> SettlementPolicy.PayloadPolicy.CONFLICT;
          case FIRST_COMMIT -> SettlementPolicy.PayloadPolicy.FIRST_COMMIT_WINS;
        },
        switch (terminal) {
          case CONFLICT -> SettlementPolicy.TerminalPolicy.CONFLICT;
          case FIRST_COMMIT -> SettlementPolicy.TerminalPolicy.FIRST_COMMIT_WINS;
        });
  }

  static OperationRef ref(Completion completion) {
    return new OperationRef(
        new Scope(completion.scope().value()),
        new OperationId(completion.operation().type(), completion.operation().key()),
        new RequestFingerprint(
            completion.fingerprint().scheme(), completion.fingerprint().digest().hex()),
        new Generation(completion.generation().value()),
        new Epoch(completion.epoch().value()),
        new EffectId(completion.effect().value()),
        new ReceiptNumber(completion.receipt().value()),
        incarnation(completion.position()));
  }

  static KeyDigest keyDigest(Reservation reservation) {
    return KeyDigest.of(reservation.operation().key());
  }

  private static LedgerIncarnation incarnation(LedgerPosition position) {
    return new LedgerIncarnation(
        Long.parseLong(position.systemId()), Math.toIntExact(position.timeline()));
  }
}
