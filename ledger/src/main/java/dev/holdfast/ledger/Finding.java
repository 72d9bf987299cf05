package dev.holdfast.ledger;

import org.jspecify.annotations.Nullable;

/** What came of asking the upstream what became of the attempts that are open. */
public sealed interface Finding {
  /**
   * The effect happened.
   *
   * @param response what the upstream showed of it ({@link UpstreamResponse#verifyFound}). Its
   *     effect is the one that a late witness will name: the key, the upstream's own id of the
   *     effect, or where there is neither, {@link OpenAttempt#effect()} of the attempt that was
   *     found; never the asking claim's
   * @param result what the activity would have returned
   * @param attempt whose effect it is, one of the open attempts; may be null where that is the only
   *     open one, or nobody can tell
   */
  record Happened(VerifiedResponse response, StoredResult result, @Nullable ClaimId attempt)
      implements Finding {
    public Happened {
      if (response.grade() == EvidenceGrade.WITNESSED) {
        throw new IllegalArgumentException("what was asked for later was not witnessed");
      }
    }
  }

  /** The upstream knows no such effect. */
  record DidNotHappen(Finality finality) implements Finding {}

  /**
   * Nobody can tell yet, or the question failed: the next attempt asks again.
   *
   * @param reason a word, at most 100 characters
   */
  record NotKnownYet(String reason) implements Finding {
    public NotKnownYet {
      Text.named("the reason", reason, SettledFailure.CODE_LIMIT);
    }
  }

  /**
   * No later question will tell: the effect was found under another tag, or its record is gone.
   *
   * @param reason a word, at most 100 characters
   */
  record OnlyAPersonCanTell(String reason) implements Finding {
    public OnlyAPersonCanTell {
      Text.named("the reason", reason, SettledFailure.CODE_LIMIT);
    }
  }

  /** Why nothing that was sent under an older token can still happen after "it did not". */
  enum Finality {
    /** The upstream refuses older fencing tokens from the question on. */
    FENCED,
    /** Every older attempt was past its horizon before the question was asked. */
    HORIZON,
    /** Nothing rules it out: a person must say. */
    NONE
  }
}
