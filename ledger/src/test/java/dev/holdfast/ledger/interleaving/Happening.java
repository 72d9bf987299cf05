package dev.holdfast.ledger.interleaving;

/**
 * Something that a worker saw or did.
 *
 * @param token under which; 0 where it had none
 * @param detail what else tells: a claim id, an effect, a reason
 */
record Happening(String worker, What what, long token, String detail) {
  enum What {
    /** It may dispatch. Detail: the claim. */
    GRANTED,
    /** It must ask first. Detail: the claim. */
    ASKS,
    /** It asked, and may dispatch under the same token. */
    MAY_DISPATCH,
    BUSY,
    /** Detail: the effect. */
    REPLAYED,
    PARKED,
    CONTENDED,
    /** Any other answer; none is expected. */
    TURNED_AWAY,
    /** Its request arrived. Detail: the effect that it was answered with. */
    SENT,
    /** Its request arrived and was refused for its token. */
    FENCED_OFF,
    /** Its lease ran out while it stood still. Detail: its claim. */
    STALLED,
    /** It has its receipt. Detail: the claim. */
    COMMITTED,
    /** It has lost its lease, its evidence is stored. Detail: the claim. */
    STORED,
    /** Somebody else had settled it. */
    SETTLED_BEFORE,
    /** Its lease is over by its own word. */
    GAVE_UP,
    RELEASED,
    NOT_RELEASED,
    /** A second operation asked for the completion. Detail: whether the receipt stood. */
    GATE_OPEN,
    GATE_CLOSED
  }

  @Override
  public String toString() {
    return worker + " " + what + (token == 0 ? "" : " " + token) + " " + detail;
  }
}
