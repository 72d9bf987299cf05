package dev.holdfast.ledger;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a person says became of an operation that waits for one. */
public sealed interface Decision {
  /**
   * The effect happened. Stored evidence is heard first: of the same effect it becomes the receipt,
   * of another one both are a conflict. In a conflict the person's word decides.
   *
   * @param effect the one that a late witness will name: the upstream key, the upstream's own id of
   *     the effect or, where there is neither, the attempt's claim id. Null for that last one where
   *     the operation is parked as {@code open_attempt}; refused elsewhere, for the ledger does not
   *     know which it is
   * @param status the upstream's own status code
   * @param evidence digest of what the person was shown
   * @param result what the activity would have returned
   * @param attempt whose effect it is; null for the only open one, or where nobody can tell
   */
  record Happened(
      @Nullable EffectId effect,
      int status,
      Sha256 evidence,
      StoredResult result,
      @Nullable ClaimId attempt)
      implements Decision {}

  /**
   * No attempt had an effect, nor will one have: the next claim may dispatch again. Refused while
   * evidence is stored, and where the person looked before the horizon of every open attempt: what
   * landed after the look was not seen.
   *
   * @param force although a request may still land; kept on the record
   * @param lookedAt when the person looked, by the database's clock and no earlier than {@link
   *     OperationStory#shownAt}; null where it was when the act runs
   */
  record DidNotHappen(boolean force, @Nullable Instant lookedAt) implements Decision {
    /** By a look that is as new as the act. */
    public DidNotHappen(boolean force) {
      this(force, null);
    }
  }

  /**
   * Of a conflict: the receipt it bears is the truth, the other report is not. Of a completed
   * operation: what was set aside beside it has been looked at.
   */
  record ReceiptStands() implements Decision {}

  /**
   * No attempt had an effect, and none may be made: failed for good, until it is reopened. Refused
   * as {@link DidNotHappen} is; of a conflict never.
   *
   * @param force although a request may still land; kept on the record
   * @param lookedAt as of {@link DidNotHappen}
   */
  record Failed(SettledFailure failure, boolean force, @Nullable Instant lookedAt)
      implements Decision {
    /** By a look that is as new as the act. */
    public Failed(SettledFailure failure, boolean force) {
      this(failure, force, null);
    }
  }
}
