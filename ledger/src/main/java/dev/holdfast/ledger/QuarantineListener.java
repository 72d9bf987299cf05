package dev.holdfast.ledger;

/**
 * Hears that evidence was quarantined: an effect may have happened that counts for nothing, until a
 * person has looked. By default it is logged as {@code tuple_mismatch_quarantined}.
 */
@FunctionalInterface
public interface QuarantineListener {
  /**
   * Told on the settling thread once the warning is committed, at most once. It must return at
   * once, and whatever it throws is logged by its type and changes nothing. Called by many threads.
   */
  void quarantined(QuarantineWarning warning);
}
