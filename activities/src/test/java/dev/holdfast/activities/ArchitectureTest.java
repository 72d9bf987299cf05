package dev.holdfast.activities;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What the worker side must never know, and what of it nobody else may see. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
  private static final String INTERNAL = "dev.holdfast.activities.internal";
  private static final String EVIDENCE = "dev.holdfast.activities.evidence";

  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.holdfast.activities", "io.temporal.worker")
          .that(
              describe(
                  "ours",
                  type ->
                      type.getPackageName().startsWith("dev.holdfast")
                          || type.getSimpleName().startsWith("HoldfastBridge")));

  @Test
  void no_sql_and_no_spring() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "org.jooq..", "org.flywaydb..", "org.postgresql..", "org.springframework.."))
        .check(PRODUCTION);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching("java\\.sql\\.(Prepared|Callable)?Statement|java\\.sql\\.ResultSet")
        .check(PRODUCTION);
  }

  @Test
  void of_the_jooq_package_only_its_facade() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "dev\\.holdfast\\.ledger\\.jooq\\.(?!JooqLedger$|LedgerOptions$|CommitLevel$).*")
        .check(PRODUCTION);
  }

  @Test
  void who_verifies_evidence_knows_neither_temporal_nor_the_barrier() {
    noClasses()
        .that()
        .resideInAPackage(EVIDENCE)
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "io.temporal..", "java.sql..", "dev.holdfast.ledger.jooq..", INTERNAL))
        .check(PRODUCTION);
  }

  @Test
  void one_class_alone_reaches_into_the_sdk() {
    noClasses()
        .that()
        .doNotHaveSimpleName("HoldfastBridge")
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.temporal.internal.."))
        .check(PRODUCTION);
  }

  @Test
  void nobody_sleeps_or_prints() {
    noClasses().should().callMethod(Thread.class, "sleep", long.class).check(PRODUCTION);
    noClasses().should().accessField(System.class, "out").check(PRODUCTION);
    noClasses().should().accessField(System.class, "err").check(PRODUCTION);
  }

  @Test
  void every_package_is_null_marked() throws ClassNotFoundException {
    Set<String> packages =
        PRODUCTION.stream().map(JavaClass::getPackageName).collect(Collectors.toSet());

    assertThat(packages)
        .contains("dev.holdfast.activities", INTERNAL, EVIDENCE, "io.temporal.worker");
    for (String name : packages) {
      Class<?> info = Class.forName(name + ".package-info");
      assertThat(info.isAnnotationPresent(NullMarked.class)).as(name).isTrue();
    }
  }

  @Test
  void no_internal_type_stands_in_a_public_signature() {
    Stream<JavaCodeUnit> signatures =
        PRODUCTION.stream()
            .filter(type -> type.getPackageName().equals("dev.holdfast.activities"))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(type -> type.getCodeUnits().stream())
            .filter(
                unit ->
                    unit.getModifiers().contains(JavaModifier.PUBLIC)
                        || unit.getModifiers().contains(JavaModifier.PROTECTED));

    assertThat(signatures)
        .isNotEmpty()
        .allSatisfy(
            unit ->
                assertThat(
                        Stream.concat(
                            unit.getRawParameterTypes().stream(),
                            Stream.of(unit.getRawReturnType())))
                    .as(unit.getFullName())
                    .noneMatch(type -> type.getPackageName().equals(INTERNAL)));
  }

  @Test
  void at_least_half_of_the_types_are_package_private() {
    long all = PRODUCTION.stream().filter(JavaClass::isTopLevelClass).count();
    long open =
        PRODUCTION.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .count();

    assertThat(open * 2).isLessThanOrEqualTo(all);
  }
}
