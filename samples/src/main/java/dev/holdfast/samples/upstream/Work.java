package dev.holdfast.samples.upstream;

/** What an upstream is for; everything about keys and behaviours is the engine's. */
interface Work {

  /** Where it is asked for, for example {@code /exports}. */
  String path();

  /**
   * Does it once more, whoever asks, and says what came of it.
   *
   * @throws IllegalArgumentException if the request lacks something; nothing was done
   */
  FlatJson perform(FlatJson request);
}
