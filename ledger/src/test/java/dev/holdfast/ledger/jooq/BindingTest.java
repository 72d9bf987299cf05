package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.BINDING_CHANGE;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jooq.Record;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A binding is rotated, and claims under its older generations are refused. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BindingTest {
  private static final Scope TENANT = new Scope("tenant");
  private static final AtomicInteger KEYS = new AtomicInteger();

  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;
  private final OperatorActs acts;
  private final int number = KEYS.incrementAndGet();
  private final BindingName mandate = new BindingName("mandate-" + number);
  private final Asking asking = Asking.about("doc-" + number);

  BindingTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.pool(16), LedgerOptions.standard());
    this.acts = ledger.acts();
  }

  private Rotation rotation(long expected) {
    return rotation(ActId.random(), expected, false);
  }

  private Rotation rotation(ActId id, long expected, boolean dryRun) {
    return new Rotation(
        id, TENANT, mandate, new Generation(expected), "ann", "the mandate was renewed", dryRun);
  }

  private void rotated(long to) {
    assertThat(acts.rotate(rotation(to - 1)))
        .isEqualTo(new RotateOutcome.Rotated(new Generation(to), false));
  }

  private List<Record> changes() {
    return embedded
        .sql()
        .selectFrom(BINDING_CHANGE)
        .where(BINDING_CHANGE.NAME.eq(mandate.value()))
        .orderBy(BINDING_CHANGE.GENERATION)
        .fetch();
  }

  private Claim claim(Asking as) {
    return ledger.claim(as.request().boundTo(mandate));
  }

  private Claim claim(long generation) {
    return claim(asking.inGeneration(generation));
  }

  private static Claim superseded(long by) {
    return new Claim.Superseded(new Generation(by));
  }

  private StoredOperation stored(Reservation reservation) {
    return StoredOperation.of(embedded, reservation);
  }

  @Test
  void one_that_nobody_rotated_stands_at_zero() {
    assertThat(ledger.currentBinding(TENANT, mandate)).isEqualTo(new Generation(0));
    assertThat(claim(0)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void a_rotation_raises_it_by_one_and_is_kept_with_actor_and_reason() {
    rotated(1);
    rotated(2);

    assertThat(ledger.currentBinding(TENANT, mandate)).isEqualTo(new Generation(2));
    assertThat(changes())
        .extracting(
            change -> change.get(BINDING_CHANGE.GENERATION),
            change -> change.get(BINDING_CHANGE.ACTOR),
            change -> change.get(BINDING_CHANGE.REASON))
        .containsExactly(
            tuple(1L, "ann", "the mandate was renewed"),
            tuple(2L, "ann", "the mandate was renewed"));
  }

  @Test
  void another_scopes_binding_of_the_same_name_stays() {
    rotated(1);

    assertThat(ledger.currentBinding(new Scope("other"), mandate)).isEqualTo(new Generation(0));
  }

  @Test
  void a_rotation_of_what_moved_is_refused() {
    rotated(1);

    assertThat(acts.rotate(rotation(0))).isEqualTo(new RotateOutcome.Moved(new Generation(1)));
    assertThat(acts.rotate(rotation(7))).isEqualTo(new RotateOutcome.Moved(new Generation(1)));
    assertThat(changes()).hasSize(1);
  }

  @Test
  void the_same_order_sent_again_is_answered_as_it_was_and_done_once() {
    ActId id = ActId.random();
    RotateOutcome first = acts.rotate(rotation(id, 0, false));
    rotated(2);

    assertThat(acts.rotate(rotation(id, 0, false))).isEqualTo(first);

    assertThat(ledger.currentBinding(TENANT, mandate)).isEqualTo(new Generation(2));
    assertThat(changes()).hasSize(2);
  }

  @Test
  void an_id_names_one_order_only() {
    ActId id = ActId.random();
    acts.rotate(rotation(id, 0, false));

    assertThatThrownBy(() -> acts.rotate(rotation(id, 1, false)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("act id");
    assertThat(changes()).hasSize(1);
  }

  @Test
  void a_dry_run_says_the_same_and_changes_nothing() {
    assertThat(acts.rotate(rotation(ActId.random(), 0, true)))
        .isEqualTo(new RotateOutcome.Rotated(new Generation(1), true));
    assertThat(acts.rotate(rotation(ActId.random(), 3, true)))
        .isEqualTo(new RotateOutcome.Moved(new Generation(0)));

    assertThat(changes()).isEmpty();
    assertThat(ledger.currentBinding(TENANT, mandate)).isEqualTo(new Generation(0));
  }

  @Test
  void of_many_who_saw_the_same_generation_one_rotates_it() throws Exception {
    List<List<RotateOutcome>> rounds =
        Contenders.race(8, 10, (contender, round) -> acts.rotate(rotation(round)));

    assertThat(rounds)
        .allSatisfy(
            answers ->
                assertThat(answers).filteredOn(RotateOutcome.Rotated.class::isInstance).hasSize(1));
    assertThat(changes()).hasSize(10);
  }

  @Test
  void one_order_sent_by_many_at_once_is_done_once() throws Exception {
    ActId id = ActId.random();

    List<List<RotateOutcome>> rounds =
        Contenders.race(8, 1, (contender, round) -> acts.rotate(rotation(id, 0, false)));

    assertThat(rounds.getFirst())
        .allMatch(new RotateOutcome.Rotated(new Generation(1), false)::equals);
    assertThat(changes()).hasSize(1);
  }

  @Test
  void a_claim_under_an_older_generation_is_superseded_and_writes_nothing() {
    rotated(1);

    assertThat(claim(0)).isEqualTo(superseded(1));

    assertThat(stored(asking.reservation()).row()).isNull();
    assertThat(claim(1)).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void a_claim_under_a_generation_that_never_was_is_rejected() {
    rotated(1);

    assertThat(claim(2)).isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));
  }

  @Test
  void a_reservation_of_the_older_generation_is_not_taken_over_by_a_newer_one() {
    Asking.committed(ledger, ((Claim.Granted) claim(0)).lease().dispatch());
    rotated(1);

    assertThat(claim(1)).isEqualTo(new Claim.Rejected(Claim.Difference.GENERATION));
  }

  @Test
  void what_was_claimed_before_the_rotation_settles_after_it() {
    Claim before = claim(0);
    rotated(1);

    assertThat(
            ledger.settle(
                ((Claim.Granted) before).lease().dispatch(), Asking.response(), Asking.RESULT))
        .isInstanceOf(SettleOutcome.Committed.class);
  }

  @Test
  void the_fingerprint_is_compared_first() {
    claim(0);
    rotated(1);

    assertThat(claim(asking.withFingerprintOf("another")))
        .isEqualTo(new Claim.Rejected(Claim.Difference.FINGERPRINT));
  }

  @Test
  void the_binding_comes_before_resource_lease_and_outcome() {
    Claim held = claim(0);
    rotated(1);

    assertThat(claim(asking.on(ResourceId.shared("printer")))).isEqualTo(superseded(1));
    assertThat(claim(0)).isEqualTo(superseded(1));
    Asking.committed(ledger, ((Claim.Granted) held).lease().dispatch());
    assertThat(claim(0)).isEqualTo(superseded(1));
  }

  @Test
  void on_a_shared_resource_it_is_superseded_before_the_resource_is_taken() {
    ResourceId printer = ResourceId.shared("printer " + number);
    rotated(1);

    assertThat(claim(asking.on(printer))).isEqualTo(superseded(1));

    assertThat(stored(asking.on(printer).reservation()).row()).isNull();
    assertThat(embedded.sql().fetchValue("select count(*) from resource")).isEqualTo(0L);
    assertThat(claim(asking.on(printer).inGeneration(1))).isInstanceOf(Claim.Granted.class);
    assertThat(claim(asking.on(printer))).isEqualTo(superseded(1));
  }

  @Test
  void it_is_superseded_before_a_gate_is_asked() {
    Asking export = Asking.about("export-" + number);
    Asking share = asking.behind(export.committed(ledger).receipt().completion());
    rotated(1);

    assertThat(claim(share)).isEqualTo(superseded(1));
    assertThat(claim(share.inGeneration(1))).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void a_claim_that_names_no_binding_is_asked_for_none() {
    rotated(1);

    ClaimRequest unbound = asking.request();

    assertThat(unbound.binding()).isNull();
    assertThat(ledger.claim(unbound)).isInstanceOf(Claim.Granted.class);
    assertThat(reservation("doc-" + number).generation()).isEqualTo(new Generation(0));
  }
}
