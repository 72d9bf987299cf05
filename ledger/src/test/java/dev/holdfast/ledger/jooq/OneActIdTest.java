package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** One act id for two operations at the same moment: one of them is another act. */
class OneActIdTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();

  OneActIdTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  private Asking completed() {
    Asking asking = Asking.about("act-id-" + KEYS.incrementAndGet());
    asking.committed(rival);
    return asking;
  }

  private static ActTerms terms(ActId id, Asking asking) {
    return new ActTerms(
        id,
        asking.reservation().scope(),
        asking.reservation().operation(),
        null,
        "ann",
        "asked by phone",
        false);
  }

  private List<OperationStory.Act> acts(Asking asking) {
    return rival
        .acts()
        .show(asking.reservation().scope(), asking.reservation().operation())
        .orElseThrow()
        .acts();
  }

  private static void isAnotherOrders(ActOutcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            ActOutcome.NotApplicable.class,
            refused -> assertThat(refused.cure()).contains("given to another order"));
  }

  /** The second one finds nothing of the first, and writes beside it. */
  @Test
  void who_comes_while_the_first_commits_hears_that_it_is_anothers() throws Exception {
    ActId id = ActId.random();
    Asking first = completed();
    Asking second = completed();
    CountDownLatch commit = hold(1, COMMIT);
    Future<ActOutcome> done =
        Contenders.background(() -> ledger.acts().reopen(terms(id, first), true));
    awaitDisturbance();
    Future<ActOutcome> refused =
        Contenders.background(() -> rival.acts().reopen(terms(id, second), true));
    awaitALockIsWaitedFor();

    commit.countDown();

    assertThat(done.get()).isInstanceOf(ActOutcome.Done.class);
    isAnotherOrders(refused.get());
    assertThat(acts(first)).hasSize(1);
    assertThat(acts(second)).isEmpty();
  }

  @Test
  void of_many_at_once_one_is_done() throws Exception {
    List<List<Asking>> pairs = List.of(both(), both(), both(), both(), both(), both());
    List<ActId> ids = pairs.stream().map(pair -> ActId.random()).toList();

    List<List<ActOutcome>> rounds =
        Contenders.race(
            2,
            pairs.size(),
            (contender, round) ->
                rival.acts().reopen(terms(ids.get(round), pairs.get(round).get(contender)), true));

    for (List<ActOutcome> round : rounds) {
      assertThat(round).filteredOn(ActOutcome.Done.class::isInstance).hasSize(1);
      round.stream()
          .filter(outcome -> !(outcome instanceof ActOutcome.Done))
          .forEach(OneActIdTest::isAnotherOrders);
    }
  }

  @Test
  void of_two_rotations_at_once_under_one_id_one_is_done() throws Exception {
    ActId id = ActId.random();

    List<Object> answers =
        Contenders.race(2, 1, (contender, round) -> rotated(id, "of-" + contender)).getFirst();

    assertThat(answers)
        .hasAtLeastOneElementOfType(RotateOutcome.Rotated.class)
        .hasAtLeastOneElementOfType(IllegalArgumentException.class);
  }

  private Object rotated(ActId id, String binding) {
    try {
      return rival
          .acts()
          .rotate(
              new Rotation(
                  id,
                  Rows.reservation("any").scope(),
                  new BindingName(binding),
                  new Generation(0),
                  "ann",
                  "renewed",
                  false));
    } catch (IllegalArgumentException anothers) {
      return anothers;
    }
  }

  private List<Asking> both() {
    return List.of(completed(), completed());
  }

  private void awaitALockIsWaitedFor() throws Exception {
    try (RowLock any = RowLock.on(embedded, completed().reservation())) {
      any.awaitWaiters(1);
    }
  }
}
