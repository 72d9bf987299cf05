package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.ledger.AwaitingOperation;
import dev.holdfast.ledger.AwaitingOperation.Cause;
import dev.holdfast.ledger.AwaitingQuery;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What waits for a person or a pick-up, as the operator sees it. */
@ExtendWith(LedgerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OperatorListTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00.123456Z");
  private static final Scope OTHER = new Scope("other tenant");

  private final Rows rows;
  private final OperatorActs acts;

  OperatorListTest(EmbeddedLedger ledger) {
    this.rows = Rows.of(ledger);
    this.acts = JooqLedger.open(ledger.pool(1), LedgerOptions.standard()).acts();
  }

  @BeforeAll
  void some_wait_and_others_do_not() {
    rows.conflict(reservation("third")).with(OPERATION.ATTENTION_AT, waits(3)).insert();
    rows.parked(reservation("first"), "open_attempt")
        .with(OPERATION.ATTENTION_AT, waits(1))
        .insert();
    rows.expired(reservation("second"))
        .with(OPERATION.PENDING_EVIDENCE, 2)
        .with(OPERATION.ATTENTION_AT, waits(2))
        .insert();
    Reservation elsewhere = reservation("fourth");
    rows.parked(elsewhere, "key_horizon")
        .with(OPERATION.SCOPE, OTHER.value())
        .with(OPERATION.ATTENTION_AT, waits(3))
        .insert();
    rows.inProgress(reservation("at work")).insert();
    rows.unknown(reservation("unknown")).insert();
    rows.completed(reservation("done")).insert();
    rows.failed(reservation("failed")).insert();
  }

  private static Instant waits(int minutes) {
    return SINCE.plus(Duration.ofMinutes(minutes));
  }

  private static List<String> keys(List<AwaitingOperation> found) {
    return found.stream().map(one -> one.operation().key()).toList();
  }

  @Test
  void those_that_wait_are_listed_the_oldest_first() {
    assertThat(keys(acts.list(AwaitingQuery.all())))
        .containsExactly("first", "second", "fourth", "third");
  }

  @Test
  void it_says_what_each_waits_for() {
    AwaitingOperation parked = acts.list(AwaitingQuery.all()).getFirst();

    assertThat(parked.operation()).isEqualTo(reservation("first").operation());
    assertThat(parked.scope()).isEqualTo(reservation("first").scope());
    assertThat(parked.state()).isEqualTo(OperationState.UNKNOWN);
    assertThat(parked.parkedReason()).isEqualTo("open_attempt");
    assertThat(parked.openAttempts()).isEqualTo(1);
    assertThat(parked.pendingEvidence()).isZero();
    assertThat(parked.since()).isEqualTo(waits(1));
    assertThat(parked.revision().value()).isEqualTo(1);
  }

  @Test
  void one_scope_is_listed_alone() {
    assertThat(keys(acts.list(AwaitingQuery.all().in(OTHER)))).containsExactly("fourth");
    assertThat(acts.list(AwaitingQuery.all().in(new Scope("nobody")))).isEmpty();
  }

  @Test
  void one_cause_is_listed_alone() {
    assertThat(keys(acts.list(AwaitingQuery.all().waitingFor(Set.of(Cause.PARKED)))))
        .containsExactly("first", "fourth");
    assertThat(keys(acts.list(AwaitingQuery.all().waitingFor(Set.of(Cause.CONFLICT)))))
        .containsExactly("third");
    assertThat(
            keys(acts.list(AwaitingQuery.all().waitingFor(Set.of(Cause.EVIDENCE, Cause.CONFLICT)))))
        .containsExactly("second", "third");
  }

  @Test
  void page_by_page_each_comes_once_those_of_one_instant_too() {
    List<String> seen = new ArrayList<>();
    AwaitingQuery query = AwaitingQuery.all().limitedTo(1);
    List<AwaitingOperation> page = acts.list(query);
    while (!page.isEmpty()) {
      seen.addAll(keys(page));
      page = acts.list(query.after(page.getLast()));
    }

    assertThat(seen).containsExactly("first", "second", "fourth", "third");
  }

  @Test
  void a_page_has_bounds_and_a_query_a_cause() {
    assertThatIllegalArgumentException().isThrownBy(() -> AwaitingQuery.all().limitedTo(0));
    assertThatIllegalArgumentException().isThrownBy(() -> AwaitingQuery.all().limitedTo(1_001));
    assertThatIllegalArgumentException().isThrownBy(() -> AwaitingQuery.all().waitingFor(Set.of()));
  }

  @Test
  void nothing_that_may_be_printed_shows_a_key() {
    assertThat(acts.list(AwaitingQuery.all()).toString())
        .doesNotContain("first", "second", "third", "fourth");
  }
}
