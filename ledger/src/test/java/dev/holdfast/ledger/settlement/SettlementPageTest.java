package dev.holdfast.ledger.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SettlementPageTest {
  private static final Path PAGE = Path.of("docs", "settlement.md");
  private static final String SWITCH = "settlement.page";

  @Test
  void the_committed_page_says_what_the_code_does() throws IOException {
    if ("write".equals(System.getProperty(SWITCH))) {
      Files.writeString(PAGE, SettlementPage.render());
    }

    assertThat(Files.readString(PAGE))
        .as("stale page; mvn -q -pl ledger test -Dtest=SettlementPageTest -D%s=write", SWITCH)
        .isEqualTo(SettlementPage.render());
  }
}
