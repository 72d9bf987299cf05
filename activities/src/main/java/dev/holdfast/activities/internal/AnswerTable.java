package dev.holdfast.activities.internal;

import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import java.util.HashMap;
import java.util.Map;

/**
 * How the answers of one upstream are read.
 *
 * @param moved statuses whose verdict the author changed
 * @param digestRule whether a success must bring a digest of its own
 */
public record AnswerTable(Map<Integer, HttpVerdict> moved, DigestRule digestRule) {
  /** Nothing moved, digests compared where they are sent. */
  public static final AnswerTable STANDARD = new AnswerTable(Map.of(), DigestRule.OPTIONAL);

  private static final int FIRST_FINAL_STATUS = 200;
  private static final int LAST_STATUS = 599;

  public AnswerTable {
    moved = Map.copyOf(moved);
  }

  /** This table with these statuses read that way. */
  public AnswerTable move(HttpVerdict verdict, int... statuses) {
    Map<Integer, HttpVerdict> changed = new HashMap<>(moved);
    for (int status : statuses) {
      if (status < FIRST_FINAL_STATUS || status > LAST_STATUS) {
        throw new IllegalArgumentException("no final HTTP status: " + status);
      }
      changed.put(status, verdict);
    }
    return new AnswerTable(changed, digestRule);
  }

  /** This table where a success without a digest is not believed. */
  public AnswerTable requireDigest() {
    return new AnswerTable(moved, DigestRule.REQUIRED);
  }

  HttpVerdict verdict(int status) {
    return moved.getOrDefault(status, HttpVerdict.of(status));
  }
}
