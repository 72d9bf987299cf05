package dev.holdfast.ledger.interleaving;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.interleaving.Happening.What;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Some of the interleavings in every run; {@link EveryInterleaving} plays them all. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InterleavingsTest {
  private static final long SEED = Long.getLong("interleavings.seed", 20_261_203L);
  private static final int SOME = 600;

  /** What keeps a settlement to its holder. */
  private static final List<String> GUARDS =
      List.of(
          "\"o\".\"fencing_token\" = ?",
          "\"o\".\"claim_id\" = cast(? as uuid)",
          "\"o\".\"revision\" = ?");

  private final EmbeddedLedger ledger;

  InterleavingsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @Test
  void whatever_the_order_of_their_steps_two_workers_keep_the_contract() throws Exception {
    Stage stage = Stage.on(ledger);
    List<String> violations = stage.play(some());

    System.out.printf(
        "INTERLEAVINGS run=%d violations=%d seed=%d%n", SOME, violations.size(), SEED);
    assertThat(violations).as("seed %d", SEED).isEmpty();
    // what never happened was not put to the test; the rest nobody should ever hear
    assertThat(EnumSet.complementOf(EnumSet.copyOf(stage.met())))
        .isSubsetOf(What.TURNED_AWAY, What.CONTENDED);
  }

  @Test
  void without_the_guards_of_a_settlement_the_checker_sees_it() throws Exception {
    List<String> violations = Stage.on(ledger, InterleavingsTest::unguarded).play(some());

    assertThat(violations).anyMatch(seen -> seen.startsWith("commits under the highest token"));
  }

  @Test
  void there_are_as_many_orders_as_there_should_be() {
    assertThat(Interleaving.orders().distinct()).hasSize(12_870);
  }

  private static List<Interleaving> some() {
    Random random = new Random(SEED);
    return new ArrayList<>(Stream.generate(() -> Interleaving.random(random)).limit(SOME).toList());
  }

  private static String unguarded(String sql) {
    if (!sql.contains("insert into \"holdfast\".\"receipt\"")) {
      return sql;
    }
    String text = sql.replaceAll("\\s+", " ");
    for (String guard : GUARDS) {
      text = text.replace(guard, "((" + guard + ") or true)");
    }
    return text;
  }
}
