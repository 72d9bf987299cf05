package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.settlement.Observation.Definite;
import dev.holdfast.ledger.settlement.Observation.Failed;
import dev.holdfast.ledger.settlement.Observation.InProgress;
import dev.holdfast.ledger.settlement.Observation.LeaseExpired;
import dev.holdfast.ledger.settlement.Observation.Refused;
import dev.holdfast.ledger.settlement.Observation.Succeeded;
import dev.holdfast.ledger.settlement.Observation.TimedOut;

/**
 * The only path that changes authoritative state (seed: binding-matched monotonic settlement): one
 * pure function of three steps. Call it under the operation's row lock, or compare and set what it
 * was called with; where a guard misses, load again and call again.
 *
 * <p><b>A, tuple gate.</b> Any part of the tuple differs: quarantined, nothing else changes.
 *
 * <p><b>B, non-terminal merge.</b> {@code unknown} ranks below {@code in_progress} with a live
 * lease.
 *
 * <table>
 *   <caption>B</caption>
 *   <tr><th>current</th><th>incoming</th><th>verdict</th></tr>
 *   <tr><td>in_progress, lease over</td><td>timed out, lease expired, by anybody</td>
 *       <td>demoted to unknown</td></tr>
 *   <tr><td>any other</td><td>timed out, lease expired</td><td>recorded</td></tr>
 *   <tr><td>any</td><td>in progress</td><td>recorded: it never raises anything</td></tr>
 * </table>
 *
 * <p><b>C, terminal resolver.</b>
 *
 * <table>
 *   <caption>C</caption>
 *   <tr><th>current</th><th>incoming</th><th>verdict</th></tr>
 *   <tr><td>in_progress</td><td>succeeded, by the holder, lease live, margin kept</td>
 *       <td>completed, receipt</td></tr>
 *   <tr><td>in_progress</td><td>the same, of an attempt on record as failed</td>
 *       <td>conflict, or completed where the first commit wins</td></tr>
 *   <tr><td>unknown, in_progress</td><td>succeeded, by anybody else or with the lease over</td>
 *       <td>stored as pending evidence, state as it was</td></tr>
 *   <tr><td>in_progress</td><td>succeeded or failed, by the holder, margin thin</td>
 *       <td>nothing stored: renew once, settle again</td></tr>
 *   <tr><td>in_progress</td><td>failed, by the holder, lease live, margin kept, no other attempt
 *       open</td><td>failed, lease ended</td></tr>
 *   <tr><td>in_progress</td><td>the same, another attempt open</td>
 *       <td>unknown, own attempt closed, lease ended</td></tr>
 *   <tr><td>in_progress</td><td>refused, by the holder, lease live, whatever the margin</td>
 *       <td>unknown, own attempt closed, lease ended</td></tr>
 *   <tr><td>unknown, in_progress</td><td>failed or refused otherwise</td>
 *       <td>own attempt closed (recorded, where the observer has none), state as it was</td></tr>
 *   <tr><td>completed</td><td>succeeded, the same effect</td><td>recorded</td></tr>
 *   <tr><td>completed</td><td>the same, of an attempt on record as failed</td>
 *       <td>conflict, or first commit wins</td></tr>
 *   <tr><td>completed</td><td>succeeded, another effect</td>
 *       <td>conflict, or first commit wins</td></tr>
 *   <tr><td>completed</td><td>failed, about an attempt whose effect was settled: the one it was
 *       settled by, or another that saw the same effect</td>
 *       <td>conflict, or first commit wins</td></tr>
 *   <tr><td>completed</td><td>failed, about another attempt</td><td>recorded</td></tr>
 *   <tr><td>failed</td><td>succeeded</td><td>conflict, or first commit wins</td></tr>
 *   <tr><td>failed</td><td>failed</td><td>recorded</td></tr>
 *   <tr><td>completed, failed</td><td>refused</td><td>recorded</td></tr>
 *   <tr><td>conflict</td><td>anything</td><td>recorded, until a person resolves it</td></tr>
 * </table>
 *
 * <p>Where successes are already stored, {@link PendingEvidence} decides over all of them.
 *
 * <p><b>Order.</b> Under the conflict policies the order of arrival decides nothing, within these
 * limits. {@code failed} is final: a success that comes after it of an attempt whose end was
 * vouched for (refused, or past its horizon) is a conflict, and before it completes the operation.
 * And {@code failed} takes the holder's word with no other attempt open: where two attempts say a
 * definite no, the holder's coming last settles {@code failed}, coming first leaves {@code
 * unknown}, until one more attempt hears the same no.
 */
public final class Settlement {
  private Settlement() {}

  /**
   * What becomes of this observation and of the operation; total, and the same for the same input.
   */
  public static Verdict settle(
      CurrentOperation current, Observation observation, SettlementPolicy policy) {
    return tupleGate(current, observation, policy);
  }

  private static Verdict tupleGate(
      CurrentOperation current, Observation observation, SettlementPolicy policy) {
    return switch (current.tuple().compare(observation.tuple())) {
      case OTHER -> new Verdict.Quarantined(current.state());
      case SAME -> nonTerminalMerge(current, observation, policy);
    };
  }

  private static Verdict nonTerminalMerge(
      CurrentOperation current, Observation observation, SettlementPolicy policy) {
    return switch (observation) {
      case InProgress late -> new Verdict.Recorded(current.state());
      case TimedOut unseen -> demoteTheDead(current);
      case LeaseExpired seen -> demoteTheDead(current);
      case Definite answer -> terminalResolver(current, answer, policy);
    };
  }

  private static Verdict demoteTheDead(CurrentOperation current) {
    return switch (current.lease()) {
      case OVER -> new Verdict.Demoted();
      case LIVE, THIN, NONE -> new Verdict.Recorded(current.state());
    };
  }

  private static Verdict terminalResolver(
      CurrentOperation current, Definite answer, SettlementPolicy policy) {
    return switch (current.state()) {
      case UNKNOWN -> withoutLease(current, answer);
      case IN_PROGRESS -> inProgress(current, answer, policy.terminal());
      case COMPLETED -> afterCompletion(current, answer, policy);
      case FAILED -> afterFailure(answer, policy.terminal());
      case CONFLICT -> new Verdict.Recorded(OperationState.CONFLICT);
    };
  }

  private static Verdict inProgress(
      CurrentOperation current, Definite answer, SettlementPolicy.TerminalPolicy policy) {
    return switch (current.observer()) {
      case HOLDER -> byHolder(current, answer, policy);
      case PREEMPTED, NONE -> withoutLease(current, answer);
    };
  }

  private static Verdict byHolder(
      CurrentOperation current, Definite answer, SettlementPolicy.TerminalPolicy policy) {
    return switch (current.lease()) {
      case LIVE -> underLiveLease(current, answer, policy);
      case THIN -> underThinMargin(answer);
      case OVER, NONE -> withoutLease(current, answer);
    };
  }

  private static Verdict underLiveLease(
      CurrentOperation current, Definite answer, SettlementPolicy.TerminalPolicy policy) {
    Verdict receipt = new Verdict.Receipt();
    return switch (answer) {
      case Succeeded success -> current.denies(success) ? disagree(policy, receipt) : receipt;
      case Failed failure ->
          current.otherAttemptOpen()
              ? new Verdict.Closed(OperationState.UNKNOWN)
              : new Verdict.Failure();
      case Refused refusal -> new Verdict.Closed(OperationState.UNKNOWN);
    };
  }

  private static Verdict underThinMargin(Definite answer) {
    return switch (answer) {
      case Succeeded success -> new Verdict.RenewFirst();
      case Failed failure -> new Verdict.RenewFirst();
      case Refused refusal -> new Verdict.Closed(OperationState.UNKNOWN);
    };
  }

  private static Verdict withoutLease(CurrentOperation current, Definite answer) {
    return switch (answer) {
      case Succeeded success -> new Verdict.Pending(current.state());
      case Failed failure -> closeOwnAttempt(current);
      case Refused refusal -> closeOwnAttempt(current);
    };
  }

  private static Verdict closeOwnAttempt(CurrentOperation current) {
    return switch (current.observer()) {
      case HOLDER, PREEMPTED -> new Verdict.Closed(current.state());
      case NONE -> new Verdict.Recorded(current.state());
    };
  }

  private static Verdict afterCompletion(
      CurrentOperation current, Definite answer, SettlementPolicy policy) {
    Verdict unchanged = new Verdict.Recorded(OperationState.COMPLETED);
    return switch (answer) {
      case Succeeded success when !current.wasCompletedBy(success) ->
          disagree(policy.payload(), unchanged);
      case Succeeded success ->
          current.denies(success) ? disagree(policy.terminal(), unchanged) : unchanged;
      case Failed failure ->
          current.isDeniedBy(failure) ? disagree(policy.terminal(), unchanged) : unchanged;
      case Refused refusal -> unchanged;
    };
  }

  private static Verdict afterFailure(Definite answer, SettlementPolicy.TerminalPolicy policy) {
    Verdict unchanged = new Verdict.Recorded(OperationState.FAILED);
    return switch (answer) {
      case Succeeded success -> disagree(policy, unchanged);
      case Failed failure -> unchanged;
      case Refused refusal -> unchanged;
    };
  }

  private static Verdict disagree(SettlementPolicy.PayloadPolicy policy, Verdict otherwise) {
    return switch (policy) {
      case CONFLICT -> new Verdict.Conflicted();
      case FIRST_COMMIT_WINS -> otherwise;
    };
  }

  private static Verdict disagree(SettlementPolicy.TerminalPolicy policy, Verdict otherwise) {
    return switch (policy) {
      case CONFLICT -> new Verdict.Conflicted();
      case FIRST_COMMIT_WINS -> otherwise;
    };
  }
}
