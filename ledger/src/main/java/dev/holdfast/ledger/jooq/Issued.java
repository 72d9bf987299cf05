package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Issuer;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Receipt;
import dev.holdfast.ledger.ReleasePermit;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.VerifiedResponse;

/** What the slow path issues: values that only committed rows may yield. */
final class Issued extends Issuer {
  private Issued() {}

  /** As it was verified before it was stored. */
  static VerifiedResponse response(
      int status, Sha256 digest, EffectId effect, EvidenceGrade grade) {
    return stored(status, digest, effect, grade);
  }

  /** Of a receipt; to be handed out after its commit alone. */
  static ReleasePermit permitOf(Lease lease, Receipt receipt, long judgedNanoTime) {
    return permit(lease, receipt, judgedNanoTime);
  }
}
