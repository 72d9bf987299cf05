package dev.holdfast.workflows.internal;

import dev.holdfast.EffectId;
import dev.holdfast.Epoch;
import dev.holdfast.Generation;
import dev.holdfast.LedgerIncarnation;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.ReceiptNumber;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;

/** References as a ledger would give them. */
final class Refs {
  private Refs() {}

  static OperationRef ref(String type, String key) {
    return new OperationRef(
        new Scope("tenant"),
        new OperationId(type, key),
        new RequestFingerprint(Fingerprint.SCHEME, "ab".repeat(32)),
        new Generation(3),
        new Epoch(1),
        new EffectId("hf1-effect"),
        new ReceiptNumber(9_007_199_254_740_993L),
        new LedgerIncarnation(7_400_000_000_000_000_001L, 2));
  }
}
