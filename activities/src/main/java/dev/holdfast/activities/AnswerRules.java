package dev.holdfast.activities;

import dev.holdfast.activities.internal.AnswerTable;
import dev.holdfast.activities.internal.HttpVerdict;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.function.Function;

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
  private static final AnswerRules STANDARD =
      new AnswerRules(AnswerTable.STANDARD, answer -> Optional.empty());

  private final AnswerTable table;
  private final Function<HttpResponse<byte[]>, Optional<String>> commitment;

  private AnswerRules(
      AnswerTable table, Function<HttpResponse<byte[]>, Optional<String>> commitment) {
    this.table = table;
    this.commitment = commitment;
  }

  private AnswerRules reading(AnswerTable changed) {
    return new AnswerRules(changed, commitment);
  }

  /** The rules where an upstream does nothing special. */
  public static AnswerRules standard() {
    return STANDARD;
  }

  /** These statuses say that the effect is done, such as 409 for <em>exists already</em>. */
  public AnswerRules succeeded(int... statuses) {
    return reading(table.move(HttpVerdict.SUCCEEDED, statuses));
  }

  /** These statuses say that the effect is not done and never will be. It is settled as failed. */
  public AnswerRules rejected(int... statuses) {
    return reading(table.move(HttpVerdict.REJECTED, statuses));
  }

  /** These statuses say that nothing was done this time, such as 503 before any work. */
  public AnswerRules refused(int... statuses) {
    return reading(table.move(HttpVerdict.REFUSED, statuses));
  }

  /** These statuses say nothing, such as 404 of an upstream that reads its own writes late. */
  public AnswerRules unknown(int... statuses) {
    return reading(table.move(HttpVerdict.UNKNOWN, statuses));
  }

  /** A success must bring a digest (RFC 9530, SHA-256 or SHA-512); without one it is unknown. */
  public AnswerRules digestRequired() {
    return reading(table.requireDigest());
  }

  /**
   * Where a successful answer over HTTP holds the upstream's own id of the effect; see {@link
   * Evidence#withCommitment}, which is for other answers and says what counts of several
   * dispatches.
   *
   * @param id visible NFC text, at most 255 characters; empty where the answer holds none
   */
  public AnswerRules commitment(Function<HttpResponse<byte[]>, Optional<String>> id) {
    return new AnswerRules(table, id);
  }

  Optional<String> commitmentOf(HttpResponse<byte[]> answer) {
    return commitment.apply(answer);
  }

  AnswerTable table() {
    return table;
  }
}
