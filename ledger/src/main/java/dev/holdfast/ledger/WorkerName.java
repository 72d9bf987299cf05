package dev.holdfast.ledger;

/**
 * Who renews a lease; for people who read the ledger. It proves nothing: the holder is the fencing
 * token with the claim id.
 */
public record WorkerName(String value) {
  static final int LIMIT = 255;

  public WorkerName {
    Text.named("the worker's name", value, LIMIT);
  }
}
