package dev.holdfast.ledger;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the ledger keeps of one operation, for the person who must decide about it, as one
 * snapshot saw it. Results are left out. Of each list the last 1,000 are shown.
 *
 * @param operation as it stands, without its result
 * @param shownAt database time of the snapshot: what a person finds out after it was so then
 * @param awaitedSince database time from which on a person or a pick-up is awaited
 * @param attempts in the order of their tokens; the last one is the operation's current claim
 * @param observations in the order in which they were written
 * @param receipts in the order of their tokens
 * @param acts what persons ordered, in order
 * @param changes how the reservation came to be what it is, in order
 * @param quarantine what was set aside because its tuple differs
 */
public record OperationStory(
    OperationView operation,
    Instant shownAt,
    @Nullable Instant awaitedSince,
    List<Attempt> attempts,
    List<Seen> observations,
    List<Proof> receipts,
    List<Act> acts,
    List<Change> changes,
    Quarantine quarantine) {

  public OperationStory {
    attempts = List.copyOf(attempts);
    observations = List.copyOf(observations);
    receipts = List.copyOf(receipts);
    acts = List.copyOf(acts);
    changes = List.copyOf(changes);
  }

  /**
   * What was set aside because its tuple differs from the reservation's.
   *
   * @param count of observations, whether they were warned of or not
   * @param unseen successes among them that no person's act has followed, unless they are the very
   *     effect that the operation was completed with
   * @param warnings that were given, oldest first
   */
  public record Quarantine(int count, int unseen, List<QuarantineWarning> warnings) {
    public Quarantine {
      warnings = List.copyOf(warnings);
    }
  }

  /**
   * One claim.
   *
   * @param dispatchDeadline it starts no dispatch later
   * @param horizon from then on its request can no longer land
   * @param open whether nobody knows what became of it
   */
  public record Attempt(
      ClaimId claimId,
      FencingToken token,
      Epoch epoch,
      WorkerName worker,
      AttemptOrigin origin,
      Instant claimedAt,
      Instant dispatchDeadline,
      Instant horizon,
      boolean open) {}

  /**
   * What somebody saw. The receipt is the observation of a plain success and has no second one.
   *
   * @param observer {@code holder}, {@code preempted}, {@code reconciler}, {@code operator} or
   *     {@code none}
   * @param claimId whose attempt it is about
   * @param kind what was seen, one word
   * @param reason why the outcome was not seen, or the code of a failure; one word
   * @param disposition what became of it, one word
   * @param closesAttempt whether its attempt is open no longer
   * @param grade how its tuple is known, one word; present with evidence
   * @param status the upstream's own
   */
  public record Seen(
      String observer,
      @Nullable ClaimId claimId,
      String kind,
      @Nullable String reason,
      String disposition,
      boolean closesAttempt,
      Epoch epoch,
      Generation generation,
      @Nullable String grade,
      @Nullable Integer status,
      @Nullable Sha256 responseDigest,
      @Nullable EffectId effect,
      Instant at) {}

  /**
   * A receipt and where it comes from.
   *
   * @param source {@code witnessed}, {@code attested}, {@code reconciled}, {@code operator} or
   *     {@code adopted}
   * @param attempt whose dispatch it was made of
   * @param status the upstream's own
   */
  public record Proof(Receipt receipt, String source, ClaimId attempt, int status) {}

  /**
   * What a person ordered.
   *
   * @param id as it was ordered under
   * @param verb {@code resolve}, {@code reopen}, {@code rebind}, {@code purge} or {@code erase}
   * @param decision what a resolve says: {@code happened}, {@code did_not_happen}, {@code
   *     receipt_stands} or {@code failed}
   * @param forced whether it would have been refused without
   * @param revision the operation's, after the act
   * @param receipt that the operation bore before the act
   * @param evidence digest of what the person was shown
   * @param parkedReason why the operation was parked when the act was done; null where it was not
   */
  public record Act(
      ActId id,
      String verb,
      @Nullable String decision,
      boolean forced,
      String actor,
      String reason,
      Revision revision,
      @Nullable ReceiptNumber receipt,
      @Nullable Sha256 evidence,
      @Nullable String parkedReason,
      Instant at) {}

  /**
   * A change of the reservation: the tuple as it was before.
   *
   * @param act {@code adopt}, {@code re_execute}, {@code carry} or {@code reopen}
   * @param revision the operation's, after the change
   * @param receipt that the operation bore before
   */
  public record Change(
      String act,
      Revision revision,
      RequestFingerprint fingerprint,
      Generation generation,
      ResourceId resource,
      Epoch epoch,
      @Nullable ReceiptNumber receipt,
      String actor,
      String reason,
      Instant at) {}
}
