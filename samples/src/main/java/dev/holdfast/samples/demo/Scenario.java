package dev.holdfast.samples.demo;

/** One failure, and what must be left of it. */
interface Scenario {
  /** As it is printed. */
  String name();

  /** The only right score. */
  Score expected();

  /** Plays it with keys of its own and counts. */
  Score play(Stage stage) throws Exception;
}
