package dev.holdfast.ledger.testbed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Each run of the tests names the server that it wants: it must not be another one in silence. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ServerVersionTest {
  private static final String EXPECTED = "expected.postgres.version";

  @Test
  void the_server_is_the_one_that_this_run_is_about(EmbeddedLedger ledger) {
    String expected = System.getProperty(EXPECTED);
    assumeThat(expected).as("%s, which the build sets", EXPECTED).isNotNull();

    String found = ledger.sql().fetchSingle("show server_version").get(0, String.class);

    // the binaries' 18.1.0 is the server's 18.1
    String server = expected.substring(0, expected.lastIndexOf('.'));
    assertThat(found).matches(Pattern.quote(server) + "( .*)?");
  }
}
