package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import dev.holdfast.ledger.jooq.ClaimStatement.Shape;
import dev.holdfast.ledger.jooq.HeldRow.LeaseRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StatementTextTest {
  private static final Path SOURCES = Path.of("src/main/java/dev/holdfast/ledger/jooq");
  private static final Pattern SHOWN =
      Pattern.compile("<pre>\\{@code\n(.*?)}</pre>", Pattern.DOTALL);
  private static final LedgerSql SQL = new LedgerSql("holdfast");

  static Stream<Arguments> statements() {
    CommitLevel on = CommitLevel.ON;
    return Stream.of(
        shown(ClaimStatement.class, claim(LeaseOf.OPERATION, new Shape(1, false))),
        shown(BoundTerms.class, claim(LeaseOf.OPERATION, new Shape(0, true))),
        shown(SharedClaim.class, claim(LeaseOf.RESOURCE_TAKEN, Shape.PLAIN)),
        shown(SharedLookStatement.class, new SharedLookStatement(SQL, false).text()),
        shown(ResourceClaimStatement.class, new ResourceClaimStatement(SQL, on).text()),
        shown(
            SettleStatement.class,
            new SettleStatement(SQL, on, LeaseRows.OWN).text(),
            new SettleStatement(SQL, on, LeaseRows.SHARED).text()),
        shown(
            ReleaseStatement.class,
            new ReleaseStatement(SQL, LeaseRows.OWN).text(),
            new ReleaseStatement(SQL, LeaseRows.SHARED).text()),
        shown(
            AbandonStatement.class,
            new AbandonStatement(SQL, LeaseRows.OWN).text(),
            new AbandonStatement(SQL, LeaseRows.SHARED).text()),
        shown(
            RenewStatement.class,
            new RenewStatement(SQL, LeaseRows.OWN).text(),
            new RenewStatement(SQL, LeaseRows.SHARED).text()),
        shown(ReadStatement.class, new ReadStatement(SQL, "1").text()),
        shown(ConfirmStatement.class, new ConfirmStatement(SQL, on).text()),
        shown(ParkStatement.class, new ParkStatement(SQL, on).text()));
  }

  private static String claim(LeaseOf leaseOf, Shape shape) {
    return new ClaimStatement(SQL, CommitLevel.ON, leaseOf, shape).text();
  }

  private static Arguments shown(Class<?> where, String... rendered) {
    return Arguments.argumentSet(where.getSimpleName(), where, List.of(rendered));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void the_javadoc_shows_what_is_rendered(Class<?> where, List<String> rendered)
      throws IOException {
    String source = Files.readString(SOURCES.resolve(where.getSimpleName() + ".java"));
    List<String> shown =
        SHOWN
            .matcher(source)
            .results()
            .map(match -> match.group(1).replaceAll("(?m)^ \\* ?", ""))
            .map(StatementTextTest::normalised)
            .toList();

    assertThat(shown).isEqualTo(rendered.stream().map(StatementTextTest::normalised).toList());
  }

  @Test
  void a_claim_without_gates_and_binding_looks_at_no_other_row() {
    assertThat(claim(LeaseOf.OPERATION, Shape.PLAIN))
        .doesNotContain("gate_1", "for share", "binding");
  }

  @Test
  void a_configured_level_above_on_is_the_one_asked_for() {
    String text = new ConfirmStatement(SQL, CommitLevel.REMOTE_APPLY).text();

    Matcher level = Pattern.compile("else '(\\w+)' end").matcher(text);
    assertThat(level.find()).isTrue();
    assertThat(level.group(1)).isEqualTo("remote_apply");
  }

  private static String normalised(String sql) {
    return sql.replace("\"", "")
        .replace("holdfast.", "")
        .replaceAll("\\s+", " ")
        .replaceAll(" ?([(),]) ?", "$1")
        .strip();
  }
}
