package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.DependentsAlert;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerListener;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Rebind.Mode;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Others were claimed because an export was completed, and it is so no longer: somebody hears. */
class DependentsAlertTest extends LossBed {
  private static final AtomicInteger KEYS = new AtomicInteger();

  private final List<DependentsAlert> alerts = new CopyOnWriteArrayList<>();
  private final JooqLedger heard;
  private final Asking export = Asking.about("export-" + KEYS.incrementAndGet());
  private final ActTerms terms = ActBed.terms(export.reservation());

  DependentsAlertTest(EmbeddedLedger embedded) {
    super(embedded);
    this.heard = heardBy(alerts::add);
  }

  private JooqLedger heardBy(Consumer<DependentsAlert> hears) {
    LedgerListener listener =
        new LedgerListener() {
          @Override
          public void dependentsStranded(DependentsAlert alert) {
            hears.accept(alert);
          }
        };
    return JooqLedger.open(embedded.dataSource(proxy), LedgerOptions.standard().heardBy(listener));
  }

  private Completion completed() {
    return export.committed(rival).receipt().completion();
  }

  /** Claimed because of that; in the order of their ids. */
  private List<OperationId> shares(Completion completion, int count) {
    List<OperationId> shares = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Asking share = Asking.about("share-%s-%04d".formatted(export.reservation().operation(), i));
      share.behind(completion).dispatched(rival);
      shares.add(share.reservation().operation());
    }
    return shares;
  }

  private DependentsAlert alert(OperationState after, Completion was, List<OperationId> shares) {
    return new DependentsAlert(
        export.reservation().scope(),
        export.reservation().operation(),
        was.receipt(),
        after,
        shares,
        false,
        alerts.getFirst().at());
  }

  private ActOutcome act(String verb) {
    Tuple seen = completedTuple();
    return switch (verb) {
      case "reopen" -> heard.acts().reopen(terms, true);
      case "re-execute" ->
          heard.acts().rebind(terms, new Rebind(Mode.RE_EXECUTE, seen, new Generation(1)));
      case "adopt" -> heard.acts().rebind(terms, new Rebind(Mode.ADOPT, seen, new Generation(1)));
      default -> throw new AssertionError(verb);
    };
  }

  private Tuple completedTuple() {
    return Tuple.of(export.reservation(), new Epoch(0));
  }

  static Stream<Arguments> actsAndLosses() {
    return Stream.of("reopen", "re-execute")
        .flatMap(act -> Stream.of(LOSE_ANSWER, LOSE_REQUEST).map(how -> Arguments.of(act, how)));
  }

  @ParameterizedTest
  @MethodSource("actsAndLosses")
  void an_act_that_takes_it_out_of_completed_is_heard_once_though_its_commit_is_lost(
      String verb, Disturbance how) {
    Completion was = completed();
    List<OperationId> shares = shares(was, 2);
    lose(COMMIT, how);

    assertThat(act(verb))
        .isInstanceOfSatisfying(
            ActOutcome.Done.class, done -> assertThat(done.dependents()).isEqualTo(shares));

    assertThat(proxy.isSpent()).isTrue();
    assertThat(alerts).containsExactly(alert(OperationState.UNKNOWN, was, shares));
  }

  @Test
  void ordered_again_it_names_them_and_is_not_heard_again() {
    List<OperationId> shares = shares(completed(), 1);

    act("reopen");

    assertThat(act("reopen"))
        .isInstanceOfSatisfying(
            ActOutcome.Done.class, done -> assertThat(done.dependents()).isEqualTo(shares));
    assertThat(alerts).hasSize(1);
  }

  @Test
  void a_second_effect_is_heard_as_well() {
    Lease late = export.dispatched(rival);
    clock.shift(Asking.LEASE);
    Completion was = completed();
    List<OperationId> shares = shares(was, 1);

    SettleOutcome second =
        heard.settle(late, SettlementBed.response("another"), SettlementBed.result("another"));

    assertThat(second).isInstanceOf(SettleOutcome.AlreadySettled.class);
    operation(export).isInState(OperationState.CONFLICT);
    assertThat(alerts).containsExactly(alert(OperationState.CONFLICT, was, shares));
  }

  @Test
  void where_nobody_depends_on_it_nothing_is_heard() {
    completed();

    assertThat(act("reopen")).isInstanceOf(ActOutcome.Done.class);

    assertThat(alerts).isEmpty();
  }

  @Test
  void neither_a_trial_nor_an_adoption_is_heard() {
    shares(completed(), 1);

    heard.acts().reopen(ActBed.terms(export.reservation(), null, true), true);
    assertThat(act("adopt")).isInstanceOf(ActOutcome.Done.class);

    assertThat(alerts).isEmpty();
  }

  @Test
  void an_alert_names_a_hundred_and_says_that_there_are_more() {
    List<OperationId> shares = shares(completed(), DependentsAlert.LISTED + 1);

    act("reopen");

    assertThat(alerts.getFirst().dependents()).isEqualTo(shares.subList(0, DependentsAlert.LISTED));
    assertThat(alerts.getFirst().more()).isTrue();
  }

  @Test
  void a_listener_that_throws_changes_nothing() {
    shares(completed(), 1);
    JooqLedger deaf =
        heardBy(
            alert -> {
              throw new IllegalStateException("full");
            });

    assertThat(deaf.acts().reopen(terms, true)).isInstanceOf(ActOutcome.Done.class);
  }

  @Test
  void it_shows_no_key_and_no_payload() {
    shares(completed(), 1);

    act("reopen");

    assertThat(alerts.getFirst().toString()).doesNotContain("share-").doesNotContain("result");
  }
}
