package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A binding is rotated, and what an older generation left is moved on. */
class RebindingTest extends CliBed {
  private final String mandate = "mandate-" + UUID.randomUUID();

  RebindingTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private Run rotate(int expected, String... more) {
    String[] arguments = new String[more.length + 6];
    String[] given = {
      "rotate", "--scope=tenant", mandate, "--expected=" + expected, "--actor=ann", "--reason=new"
    };
    System.arraycopy(given, 0, arguments, 0, given.length);
    System.arraycopy(more, 0, arguments, given.length, more.length);
    return run(arguments);
  }

  @Test
  void a_rotation_is_told_and_done_once() {
    Run first = rotate(0);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out()).contains(mandate, "generation  1");

    Run stale = rotate(0);
    assertThat(stale.code()).isEqualTo(1);
    assertThat(stale.err()).contains("generation 1");
  }

  @Test
  void the_same_act_id_again_is_the_same_answer() {
    String id = "--act-id=" + UUID.randomUUID();

    assertThat(rotate(0, id).out()).isEqualTo(rotate(0, id).out());
    assertThat(rotate(1, id).code()).isEqualTo(1);
    assertThat(rotate(1).code()).isZero();
  }

  @Test
  void a_dry_run_rotates_nothing() {
    assertThat(rotate(0, "--dry-run").code()).isZero();

    assertThat(rotate(0).code()).isZero();
  }

  @Test
  void a_negative_generation_is_no_usage() {
    assertThat(rotate(-1).code()).isEqualTo(2);
  }

  @Test
  void a_completed_effect_is_adopted() {
    Rows.of(ledger).completed(document).insert();

    Run adopted = act("rebind", "--from=0", "--to=1", "--adopt");

    assertThat(adopted.code()).as(adopted.err()).isZero();
    assertThat(story().operation().reservation().generation().value()).isEqualTo(1);
    assertThat(story().receipts().getLast().source()).isEqualTo("adopted");
  }

  @Test
  void run_again_it_may_be_ordered_again_under_its_id() {
    Rows.of(ledger).completed(document).insert();
    String id = "--act-id=" + UUID.randomUUID();

    Run first = act("rebind", "--from=0", "--to=1", "--re-execute", id);
    Run again = act("rebind", "--from=0", "--to=1", "--re-execute", id);

    assertThat(first.code()).as(first.err()).isZero();
    assertThat(again.out()).as(again.err()).isEqualTo(first.out());
    assertThat(story().changes()).hasSize(1);
  }

  @Test
  void a_refusal_names_the_cure() {
    parked().insert();

    Run refused = act("rebind", "--from=0", "--to=1", "--carry");

    assertThat(refused.code()).isEqualTo(1);
    assertThat(refused.err()).contains("resolve it first");
  }

  @Test
  void another_generation_than_the_person_saw_is_refused() {
    Rows.of(ledger).unknown(document).insert();

    Run moved = act("rebind", "--from=3", "--to=4", "--carry");

    assertThat(moved.code()).isEqualTo(1);
    assertThat(story().changes()).isEmpty();
  }

  @Test
  void it_leads_forward_in_one_way_and_by_no_force() {
    Rows.of(ledger).unknown(document).insert();

    assertThat(act("rebind", "--from=1", "--to=1", "--carry").code()).isEqualTo(2);
    assertThat(act("rebind", "--from=0", "--to=1").code()).isEqualTo(2);
    assertThat(act("rebind", "--from=0", "--to=1", "--adopt", "--carry").code()).isEqualTo(2);
    assertThat(act("rebind", "--from=0", "--to=1", "--carry", "--force").code()).isEqualTo(2);
  }

  @Test
  void what_nobody_claimed_is_refused() {
    assertThat(act("rebind", "--from=0", "--to=1", "--carry").code()).isEqualTo(1);
  }
}
