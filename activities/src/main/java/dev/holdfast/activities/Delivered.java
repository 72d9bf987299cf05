package dev.holdfast.activities;

import dev.holdfast.activities.evidence.Refusal;

/** What became of a message that an upstream sent by itself. The same one again changes nothing. */
public sealed interface Delivered {
  /** The operation is completed, by this or before it. */
  record Completed() implements Delivered {}

  /** It is stored: the attempt under way settles it, or the next one. */
  record Stored() implements Delivered {}

  /** The operation is in conflict, by this or before it: a person must decide. */
  record Conflicting() implements Delivered {}

  /** The operation had failed, and stays so by its policy; this is on the record. */
  record Recorded() implements Delivered {}

  /** Truly signed, for another request, generation or execution: set aside, nothing changed. */
  record SetAside() implements Delivered {}

  /**
   * It is no evidence, for nobody vouches for what it is about: nothing was changed. One for each
   * operation that it names and each reason is kept as an observation, for people; all are counted
   * ({@link HoldfastCounters#refusedDeliveries}).
   */
  record NotBelieved(Refusal reason) implements Delivered {}

  /** Truly signed, and no success: nothing was stored. */
  record NoSuccess(int status) implements Delivered {}

  /** Nobody claimed such an operation here: nothing was stored. */
  record NobodysOperation() implements Delivered {}

  /** Rivals kept moving the operation: have it sent again. */
  record TryAgain() implements Delivered {}
}
