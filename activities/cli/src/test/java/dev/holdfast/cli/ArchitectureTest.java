package dev.holdfast.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What the tool must never know, and what of it is for others. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.holdfast.cli");

  @Test
  void no_sql_is_spoken() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("java.sql..", "org.jooq..", "org.flywaydb..")
        .check(MAIN);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("dev\\.holdfast\\.ledger\\.jooq\\.(?!JooqLedger$|LedgerOptions$).*")
        .check(MAIN);
  }

  @Test
  void the_program_alone_is_shown() {
    classes()
        .that()
        .areTopLevelClasses()
        .and()
        .arePublic()
        .should()
        .haveSimpleName("HoldfastCli")
        .check(MAIN);
  }

  @Test
  void the_program_alone_knows_the_process() {
    noClasses()
        .that()
        .doNotHaveSimpleName("HoldfastCli")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .orShould()
        .callMethod(System.class, "exit", int.class)
        .check(MAIN);
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(MAIN);
  }

  @Test
  void null_must_be_marked() {
    assertThat(MAIN.getPackage("dev.holdfast.cli").isAnnotatedWith(NullMarked.class)).isTrue();
  }
}
