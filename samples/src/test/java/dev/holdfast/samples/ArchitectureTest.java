package dev.holdfast.samples;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The samples are the library's first user, and may name only what every user may. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
  private static final JavaClasses SAMPLES =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.holdfast.samples");

  @Test
  void nothing_internal_is_named() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.holdfast..internal..", "dev.holdfast..generated..")
        .check(SAMPLES);
  }

  @Test
  void what_an_author_writes_knows_neither_the_ledger_nor_the_demo() {
    noClasses()
        .that()
        .resideInAnyPackage("..samples.sharing..", "..samples.booking..", "..samples.notice..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.holdfast.ledger..", "..samples.demo..")
        .check(SAMPLES);
  }

  @Test
  void nothing_sleeps() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(SAMPLES);
  }
}
