package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a person did not see, for it landed after the look, is not said not to have happened. */
class LookedAtTest extends ActBed {
  LookedAtTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  static Stream<Function<Instant, Decision>> decisions() {
    return Stream.of(
        looked -> new Decision.DidNotHappen(false, looked),
        looked -> new Decision.Failed(NO_SUCH, false, looked));
  }

  // H22
  @ParameterizedTest
  @MethodSource("decisions")
  void a_look_before_the_horizon_is_too_early_though_the_act_comes_after_it(
      Function<Instant, Decision> by) {
    parked();
    Instant looked = story().shownAt();
    passTheHorizon();

    assertThat(resolve(by.apply(looked)))
        .isInstanceOfSatisfying(
            ActOutcome.TooEarly.class,
            early -> {
              assertThat(early.horizon()).isAfter(looked);
              assertThat(early.left()).isEqualTo(Duration.ZERO);
            });
    document().isParkedFor("open_attempt").hasOpenAttempts(1);

    done(resolve(by.apply(story().shownAt())));
    countsItsOpenAttempts(0);
  }

  @Test
  void nobody_has_looked_later_than_now() {
    parked();

    assertThat(resolve(new Decision.DidNotHappen(false, Instant.now().plusSeconds(1_000_000))))
        .isInstanceOf(ActOutcome.TooEarly.class);
  }

  @Test
  void force_passes_over_an_early_look_on_the_record() {
    parked();
    Instant looked = story().shownAt();
    passTheHorizon();

    done(resolve(new Decision.DidNotHappen(true, looked)));

    assertThat(story().acts()).singleElement().matches(OperationStory.Act::forced);
    assertThat(claim()).isInstanceOf(Claim.Granted.class);
  }
}
