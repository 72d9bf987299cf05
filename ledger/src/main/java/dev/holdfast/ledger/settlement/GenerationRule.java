package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.BindingName;

/**
 * Which binding generation the evidence of a success must carry to match its operation (seed: the
 * generation that commitment evidence must carry is defined). Evidence of another one is set aside.
 * What is no success commits nothing: it is matched by the reservation's under either rule.
 */
public sealed interface GenerationRule {

  /** The one that the effect was requested under, whatever became of the binding since. */
  record OfReservation() implements GenerationRule {}

  /**
   * The one that this binding bears when the evidence is settled, though the effect was requested
   * under an older one: for an upstream that tags what it did with the authorization of that
   * moment. What an attempt saw with its own eyes carries the generation that it claimed under.
   * Read without a lock, as a claim reads it: a rotation that commits beside is one that came just
   * after.
   */
  record Live(BindingName binding) implements GenerationRule {}
}
