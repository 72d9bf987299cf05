package dev.holdfast.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.testbed.EmbeddedLedger;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The ledger is not there, or is none. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OutOfReachTest {
  @Test
  void a_ledger_out_of_reach_is_exit_code_three_and_no_password_is_printed() {
    CliBed.Run run =
        CliBed.bare("list", "--jdbc-url=jdbc:postgresql://localhost:1/x?user=ann&password=hush");

    assertThat(run.code()).isEqualTo(3);
    assertThat(run.err()).contains("cannot be reached").doesNotContain("hush");
  }

  @Test
  void without_an_address_the_command_line_is_not_understood() {
    CliBed.Run run = CliBed.bare("list", "--jdbc-url=");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("LEDGER_JDBC_URL");
  }

  @Test
  void an_address_of_something_else_is_not_quoted() {
    CliBed.Run run = CliBed.bare("list", "--jdbc-url=jdbc:other://x?password=hush");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).doesNotContain("hush");
  }

  @Test
  void a_database_without_tables_is_refused_until_they_are_made() {
    try (EmbeddedLedger unmigrated = EmbeddedLedger.unmigrated()) {
      String url = "--jdbc-url=" + unmigrated.jdbcUrl();

      assertThat(CliBed.bare("list", url).code()).isEqualTo(3);
      assertThat(CliBed.bare("list", url).err()).contains("migrate");
      assertThat(CliBed.bare("migrate", url).code()).isZero();
      assertThat(CliBed.bare("list", url).code()).isZero();
    }
  }
}
