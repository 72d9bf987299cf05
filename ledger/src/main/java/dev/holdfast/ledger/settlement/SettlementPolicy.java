package dev.holdfast.ledger.settlement;

/**
 * What happens where two verified truths disagree. A deterministic tie-break is not offered:
 * neither side of it would be true.
 *
 * @param payload two successes with two effects
 * @param terminal a success and a definite failure
 */
public record SettlementPolicy(PayloadPolicy payload, TerminalPolicy terminal) {

  /** A person decides, whatever disagrees. */
  public static final SettlementPolicy STANDARD =
      new SettlementPolicy(PayloadPolicy.CONFLICT, TerminalPolicy.CONFLICT);

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
