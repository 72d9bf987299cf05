package dev.holdfast.ledger.settlement;

import java.util.ArrayList;
import java.util.List;

/**
 * Picks up the successes that were stored while nobody could commit them, so that none is lost or
 * ignored: stage C of {@link Settlement} over all of them. Pure.
 *
 * <p>To be called with <em>every</em> stored success of the operation's epoch, by whoever holds its
 * highest token: a claim that found no live lease, before anything else, or a holder whose own
 * verdict was {@link Verdict.Receipt} or {@link Verdict.Failure}.
 */
public final class PendingEvidence {
  private PendingEvidence() {}

  /**
   * For a claim.
   *
   * @param tuple the operation's
   * @param stored in the order of their commits; what bears another tuple is passed over
   */
  public static <E extends StoredSuccess> PickUp<E> pickUp(
      Tuple tuple, List<E> stored, SettlementPolicy policy) {
    return pickUp(tuple, stored, List.of(), policy);
  }

  /**
   * For a holder with an answer of its own, which came after all that is stored. {@link
   * PickUp.Nothing} leaves its own verdict in force; otherwise its answer is recorded.
   *
   * @param tuple the operation's
   * @param stored in the order of their commits; what bears another tuple is passed over
   */
  public static <E extends StoredSuccess> PickUp<E> pickUp(
      Tuple tuple, List<E> stored, Observation.Definite own, SettlementPolicy policy) {
    return pickUp(tuple, stored, List.of(own), policy);
  }

  private static <E extends StoredSuccess> PickUp<E> pickUp(
      Tuple tuple, List<E> stored, List<Observation.Definite> own, SettlementPolicy policy) {
    List<E> matching =
        stored.stream().filter(success -> success.observation().tuple().equals(tuple)).toList();
    if (matching.isEmpty()) {
      return new PickUp.Nothing<>();
    }
    E first = matching.getFirst();
    CurrentOperation completed = completedWith(first.observation());
    List<Observation> answers = new ArrayList<>(own);
    matching.forEach(success -> answers.add(success.observation()));
    boolean disagree =
        answers.stream()
            .map(answer -> Settlement.settle(completed, answer, policy))
            .anyMatch(Verdict.Conflicted.class::isInstance);
    return disagree ? new PickUp.Conflicts<>() : new PickUp.Completes<>(first);
  }

  private static CurrentOperation completedWith(Observation.Succeeded success) {
    return new CurrentOperation(
        OperationState.COMPLETED,
        success.tuple(),
        LeaseStanding.NONE,
        ObserverStanding.NONE,
        false,
        new SettledEffect(success.effect(), success.attempt()));
  }
}
