package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.BindingName;

/**
 * What happens where two verified truths disagree, and which generation makes evidence match. A
 * deterministic tie-break is not offered: neither side of it would be true.
 *
 * @param payload two successes with two effects
 * @param terminal a success and a definite failure
 * @param generation which one the evidence of a success must carry
 */
public record SettlementPolicy(
    PayloadPolicy payload, TerminalPolicy terminal, GenerationRule generation) {

  /** A person decides, whatever disagrees. */
  public static final SettlementPolicy STANDARD =
      new SettlementPolicy(PayloadPolicy.CONFLICT, TerminalPolicy.CONFLICT);

  /** One under which evidence must carry the reservation's generation. */
  public SettlementPolicy(PayloadPolicy payload, TerminalPolicy terminal) {
    this(payload, terminal, new GenerationRule.OfReservation());
  }

  /** The same, where evidence must carry this binding's live generation. */
  public SettlementPolicy underLive(BindingName binding) {
    return new SettlementPolicy(payload, terminal, new GenerationRule.Live(binding));
  }

  /** For a success whose effect is not the settled one. */
  public enum PayloadPolicy {
    CONFLICT,
    /** The order of commits decides, never a clock. */
    FIRST_COMMIT_WINS
  }

  /** For a success after a failure, or a failure of the very attempt that was settled. */
  public enum TerminalPolicy {
    CONFLICT,
    /** The order of commits decides, never a clock. */
    FIRST_COMMIT_WINS
  }
}
