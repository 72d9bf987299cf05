package dev.holdfast.activities;

import dev.holdfast.activities.internal.AnswerTable;
import dev.holdfast.activities.internal.HttpVerdict;

/**
 * How the answers of one upstream are read. Immutable; each method returns changed rules.
 *
 * <p>The {@linkplain #standard() standard}: 2xx says that the effect is done. 400, 402, 404, 410
 * and 422 say that it never will be. 401, 403, 407 and 429 say that nothing was done this time.
 * Everything else leaves the outcome unknown, redirects and 409 (the key may still be in progress)
 * among it. A digest that comes with an answer is always compared.
 *
 * <p>A status is an HTTP status from 200 to 599; others are refused with an {@link
 * IllegalArgumentException}.
 */
public final class AnswerRules {
  private static final AnswerRules STANDARD = new AnswerRules(AnswerTable.STANDARD);

  private final AnswerTable table;

  private AnswerRules(AnswerTable table) {
    this.table = table;
  }

  /** The rules where an upstream does nothing special. */
  public static AnswerRules standard() {
    return STANDARD;
  }

  /** These statuses say that the effect is done, such as 409 for <em>exists already</em>. */
  public AnswerRules succeeded(int... statuses) {
    return new AnswerRules(table.move(HttpVerdict.SUCCEEDED, statuses));
  }

  /** These statuses say that the effect is not done and never will be. It is settled as failed. */
  public AnswerRules rejected(int... statuses) {
    return new AnswerRules(table.move(HttpVerdict.REJECTED, statuses));
  }

  /** These statuses say that nothing was done this time, such as 503 before any work. */
  public AnswerRules refused(int... statuses) {
    return new AnswerRules(table.move(HttpVerdict.REFUSED, statuses));
  }

  /** These statuses say nothing, such as 404 of an upstream that reads its own writes late. */
  public AnswerRules unknown(int... statuses) {
    return new AnswerRules(table.move(HttpVerdict.UNKNOWN, statuses));
  }

  /** A success must bring a digest (RFC 9530, SHA-256 or SHA-512); without one it is unknown. */
  public AnswerRules digestRequired() {
    return new AnswerRules(table.requireDigest());
  }

  AnswerTable table() {
    return table;
  }
}
