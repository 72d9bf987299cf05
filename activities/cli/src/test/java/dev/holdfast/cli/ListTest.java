package dev.holdfast.cli;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** {@code holdfast list}. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListTest extends CliBed {
  ListTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @BeforeAll
  void two_wait() {
    Rows rows = Rows.of(ledger);
    rows.parked(reservation("invoice-17"), "open_attempt")
        .with(OPERATION.ATTENTION_AT, NOW)
        .insert();
    rows.conflict(reservation("invoice-4"))
        .with(OPERATION.ATTENTION_AT, NOW.plusSeconds(60))
        .insert();
    rows.completed(reservation("done")).insert();
  }

  @Test
  void what_waits_is_printed_as_a_table() {
    assertThat(run("list"))
        .isEqualTo(
            new Run(
                0,
                """
                count  2
                operations:
                  scope   operation          state     parked        open  evidence  quarantined  revision  since
                  tenant  export:invoice-17  unknown   open_attempt  1     0         0            1         2026-01-02T03:04:05.678901Z
                  tenant  export:invoice-4   conflict  -             0     0         0            2         2026-01-02T03:05:05.678901Z
                """,
                ""));
  }

  @Test
  void or_as_json() {
    assertThat(run("list", "--output=json", "--limit=1"))
        .isEqualTo(
            new Run(
                0,
                """
                {
                  "count" : 1,
                  "operations" : [ {
                    "scope" : "tenant",
                    "operation" : "export:invoice-17",
                    "state" : "unknown",
                    "parked" : "open_attempt",
                    "open" : 1,
                    "evidence" : 0,
                    "quarantined" : 0,
                    "revision" : 1,
                    "since" : "2026-01-02T03:04:05.678901Z"
                  } ]
                }
                """,
                ""));
  }

  @Test
  void one_scope_or_cause_is_listed_alone() {
    assertThat(run("list", "--scope=nobody").out()).isEqualTo("count  0\n");
    assertThat(run("list", "--waiting-for=conflict").out())
        .contains("invoice-4")
        .doesNotContain("invoice-17");
    assertThat(run("list", "--waiting-for=conflict,parked").out())
        .contains("invoice-4", "invoice-17");
  }

  @Test
  void what_is_not_understood_is_said_with_exit_code_two() {
    assertThat(run("list", "--limit=0").code()).isEqualTo(2);
    assertThat(run("list", "--waiting-for=rain").code()).isEqualTo(2);
    assertThat(run("list", "--output=xml").code()).isEqualTo(2);
    assertThat(run("enlist").code()).isEqualTo(2);
    assertThat(run("list", "--scope= ").err()).contains("the scope is blank");
  }
}
