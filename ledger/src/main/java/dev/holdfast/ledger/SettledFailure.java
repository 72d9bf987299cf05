package dev.holdfast.ledger;

/**
 * A definite failure: the upstream said that the effect will not happen.
 *
 * @param code a word for it, at most 100 characters; never a message or a payload
 * @param status the upstream's own status code
 */
public record SettledFailure(String code, int status) {
  static final int CODE_LIMIT = 100;

  public SettledFailure {
    Text.named("the failure code", code, CODE_LIMIT);
  }
}
