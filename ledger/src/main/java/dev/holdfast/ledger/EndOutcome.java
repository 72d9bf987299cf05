package dev.holdfast.ledger;

import java.time.Duration;

/** What recording the end of an attempt answers. */
public sealed interface EndOutcome {
  /** Recorded; the operation as it stands now says what the next attempt will find. */
  record Recorded(OperationView operation) implements EndOutcome {}

  /**
   * A definite failure with too little of the lease left; nothing was stored: renew once, again.
   */
  record MarginTooThin(Duration left) implements EndOutcome {}

  /** The tuple or epoch moved under the holder; the observation was set aside. */
  record Quarantined() implements EndOutcome {}

  /** Rivals kept moving the row; nothing was stored. */
  record Contended() implements EndOutcome {}
}
