package dev.holdfast.cli;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import org.junit.jupiter.api.Test;

/** A success that was set aside may be a second effect: it is listed until somebody has looked. */
class SetAsideTest extends CliBed {
  SetAsideTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private void secondEffect() {
    Rows rows = Rows.of(ledger);
    rows.completed(document).insert();
    rows.observation(document, "succeeded", "quarantined")
        .with(OBSERVATION.EPOCH, 7)
        .with(OBSERVATION.GRADE, "attested")
        .with(OBSERVATION.EFFECT_ID, "the-second-effect")
        .insert();
  }

  private Run listed() {
    return run("list", "--waiting-for=quarantine");
  }

  @Test
  void it_is_listed_by_its_own_cause_and_shown_with_its_effect() {
    secondEffect();

    assertThat(listed().out()).contains(document.operation().text() + "  completed");
    assertThat(run("list", "--waiting-for=parked,conflict,evidence").out())
        .doesNotContain(document.operation().text());
    assertThat(run("show", "--scope=tenant", document.operation().text()).out())
        .containsPattern("unseenEffects +1\n")
        .containsPattern("succeeded .*quarantined .*the-second-effect");
  }

  @Test
  void it_is_listed_no_longer_once_somebody_has_said_that_the_receipt_stands() {
    secondEffect();

    assertThat(act("resolve", "--receipt-stands").code()).isZero();

    assertThat(listed().out()).doesNotContain(document.operation().text());
    assertThat(run("show", "--scope=tenant", document.operation().text()).out())
        .containsPattern("unseenEffects +0\n");
    assertThat(act("resolve", "--receipt-stands").code()).isEqualTo(1);
  }
}
