package dev.holdfast.cli;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.Rows;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** {@code holdfast show}. */
class ShowTest extends CliBed {
  ShowTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private Run show(String... more) {
    return more.length == 0
        ? run("show", "--scope=tenant", document.operation().text())
        : run("show", "--scope=tenant", document.operation().text(), more[0]);
  }

  @Test
  void a_parked_operation_is_printed_with_its_attempt_and_horizon() {
    clock.stopAt(NOW);
    parked().insert();

    Run run = show();

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .containsSubsequence(
            "scope            tenant\n",
            "operation        " + document.operation().text() + "\n",
            "state            unknown\n",
            "parked           open_attempt\n",
            "shownAt ",
            "waitsSince       2026-01-02T03:04:05.678901Z\n",
            "revision         1\n",
            "openAttempts     1\n",
            "attempts:\n",
            "claim ",
            CLAIM
                + "  1000   0      true  2026-01-02T03:03:05.678901Z  2026-01-02T05:03:05.678901Z",
            "workflow-1");
  }

  @Test
  void as_json_it_says_the_same() throws JsonProcessingException {
    clock.stopAt(NOW);
    parked().insert();

    JsonNode shown = new ObjectMapper().readTree(show("--output=json").out());

    assertThat(shown.get("state").asText()).isEqualTo("unknown");
    assertThat(shown.get("revision").asLong()).isEqualTo(1);
    JsonNode attempt = shown.get("attempts").get(0);
    assertThat(attempt.get("claim").asText()).isEqualTo(CLAIM.toString());
    assertThat(attempt.get("open").asBoolean()).isTrue();
    assertThat(attempt.get("horizon").asText()).isEqualTo("2026-01-02T05:03:05.678901Z");
    assertThat(attempt.get("workflow").asText()).isEqualTo("workflow-1");
    assertThat(shown.get("acts")).isEmpty();
  }

  @Test
  void acts_are_shown_to_the_next_person() {
    parkedPastItsHorizon().insert();
    assertThat(act("resolve", "--did-not-happen").code()).isZero();

    assertThat(show().out())
        .containsSubsequence("acts:", "resolve", "did_not_happen", "ann", "asked by phone");
  }

  @Test
  void a_result_is_never_printed() {
    Rows.of(ledger)
        .completed(document)
        .with(OPERATION.RESULT, "secret result".getBytes(StandardCharsets.UTF_8))
        .insert();

    assertThat(show().out()).contains("completed", Objects.requireNonNull(Rows.EFFECT));
    assertThat(show().out() + show("--output=json").out())
        .doesNotContain("secret")
        .doesNotContain("c2VjcmV0");
  }

  @Test
  void what_nobody_claimed_is_refused() {
    assertThat(show()).isEqualTo(new Run(1, "", "nobody claimed this operation\n"));
  }
}
