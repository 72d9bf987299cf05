package dev.holdfast.samples.demo;

/**
 * What a scenario left behind, counted at the upstreams (receipts in the ledger).
 *
 * @param exports effects of the exporter; bookings, where the scenario books
 * @param shares effects of the publisher
 * @param receipts completed operations of the ledger
 * @param gateOpen whether share was let through
 * @param outcome what the caller was told, in a word
 */
record Score(int exports, int shares, int receipts, boolean gateOpen, String outcome) {
  /** Effects beyond the first of their kind: each scenario asks for one export and one share. */
  int duplicates() {
    return Math.max(0, exports - 1) + Math.max(0, shares - 1);
  }

  /** Prints the scenario's line; whether the score is the right one. */
  boolean print(Scenario scenario) {
    Narrator.say("DEMO scenario=%s %s".formatted(scenario.name(), this));
    boolean right = equals(scenario.expected());
    if (!right) {
      Narrator.say("  expected: %s".formatted(scenario.expected()));
    }
    return right;
  }

  @Override
  public String toString() {
    return "exports=%d shares=%d receipts=%d gate=%s outcome=%s"
        .formatted(exports, shares, receipts, gateOpen ? "open" : "closed", outcome);
  }
}
