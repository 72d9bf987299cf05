package dev.holdfast.samples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DemoTest {
  static final String[] RIGHT = {
    "DEMO scenario=plain exports=1 shares=1 receipts=2 gate=open outcome=shared",
    "DEMO scenario=retried exports=1 shares=1 receipts=2 gate=open outcome=shared",
    "DEMO scenario=lost-answer exports=1 shares=1 receipts=2 gate=open outcome=shared",
    "DEMO scenario=failed-export exports=0 shares=0 receipts=0 gate=closed outcome=refused",
    "DEMO scenario=same-transaction exports=1 shares=0 receipts=1 gate=closed outcome=booked",
    "DEMO scenario=worker-killed exports=1 shares=1 receipts=2 gate=open outcome=shared",
    "DEMO scenario=zombie exports=1 shares=1 receipts=2 gate=open outcome=shared",
    "DEMO scenario=parked-and-resolved exports=0 shares=1 receipts=1 gate=closed outcome=resolved",
    "DEMO scenario=stale-binding exports=1 shares=1 receipts=2 gate=open outcome=rebound",
    "DEMO ok scenarios=9 duplicates=0"
  };

  @Test
  void the_demo_needs_nothing_and_counts_no_duplicate() throws Exception {
    DemoRun run = DemoRun.with(Map.of());

    assertThat(run.scores()).as("%s", run.lines()).containsExactly(RIGHT);
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void a_wrong_count_is_told() {
    Score doubled = new Score(2, 1, 2, true, "shared");

    assertThat(doubled.duplicates()).isEqualTo(1);
    assertThat(doubled.print(new Plain())).isFalse();
  }
}
