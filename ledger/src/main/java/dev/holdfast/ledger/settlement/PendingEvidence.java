package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.ClaimId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Picks up the successes that were stored while nobody could commit them, so that none is lost or
 * ignored: stage C of {@link Settlement} over all of them. Pure.
 *
 * <p>To be called with <em>every</em> stored success of the operation's epoch, by whoever holds its
 * highest token: a claim that found no live lease, before anything else, or a holder whose own
 * verdict was {@link Verdict.Receipt} or {@link Verdict.Failure}. With them come those of their
 * attempts that are on record as definitely failed: which of the two was stored first decides
 * nothing.
 */
public final class PendingEvidence {
  private PendingEvidence() {}

  /**
   * For a claim.
   *
   * @param tuple the operation's
   * @param stored in the order of their commits; what bears another tuple is passed over
   * @param denied attempts of this tuple that are on record as definitely failed
   */
  public static <E extends StoredSuccess> PickUp<E> pickUp(
      Tuple tuple, List<E> stored, Set<ClaimId> denied, SettlementPolicy policy) {
    return pickUp(tuple, stored, List.of(), denied, policy);
  }

  /**
   * For a holder with an answer of its own, which came after all that is stored. {@link
   * PickUp.Nothing} leaves its own verdict in force; otherwise its answer is recorded.
   *
   * @param tuple the operation's
   * @param stored in the order of their commits; what bears another tuple is passed over
   * @param denied attempts of this tuple that are on record as definitely failed
   */
  public static <E extends StoredSuccess> PickUp<E> pickUp(
      Tuple tuple,
      List<E> stored,
      Observation.Definite own,
      Set<ClaimId> denied,
      SettlementPolicy policy) {
    return pickUp(tuple, stored, List.of(own), denied, policy);
  }

  private static <E extends StoredSuccess> PickUp<E> pickUp(
      Tuple tuple,
      List<E> stored,
      List<Observation.Definite> own,
      Set<ClaimId> denied,
      SettlementPolicy policy) {
    List<E> matching =
        stored.stream().filter(success -> success.observation().tuple().equals(tuple)).toList();
    if (matching.isEmpty()) {
      return new PickUp.Nothing<>();
    }
    E first = matching.getFirst();
    List<Observation> answers = new ArrayList<>(own);
    matching.forEach(success -> answers.add(success.observation()));
    denied.forEach(attempt -> answers.add(new Observation.Failed(tuple, attempt)));
    CurrentOperation completed = completedWith(first.observation(), answers);
    boolean disagree =
        answers.stream()
            .map(answer -> Settlement.settle(completed, answer, policy))
            .anyMatch(Verdict.Conflicted.class::isInstance);
    return disagree ? new PickUp.Conflicts<>() : new PickUp.Completes<>(first);
  }

  private static CurrentOperation completedWith(
      Observation.Succeeded first, List<Observation> answers) {
    return new CurrentOperation(
        OperationState.COMPLETED,
        first.tuple(),
        LeaseStanding.NONE,
        ObserverStanding.NONE,
        false,
        new SettledEffect(first.effect(), witnesses(first, answers)));
  }

  /** Who saw the very effect that came first. */
  private static Set<ClaimId> witnesses(Observation.Succeeded first, List<Observation> answers) {
    return answers.stream()
        .flatMap(
            answer ->
                answer instanceof Observation.Succeeded success
                        && success.effect().equals(first.effect())
                    ? Stream.ofNullable(success.attempt())
                    : Stream.of())
        .collect(Collectors.toUnmodifiableSet());
  }
}
