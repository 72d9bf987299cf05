package dev.holdfast.ledger.settlement;

/** A verified success in storage, as whoever loaded it holds it. */
public interface StoredSuccess {
  /** What was observed. */
  Observation.Succeeded observation();
}
