package dev.holdfast.spring;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * What the starter must never know, that nobody else knows Spring, and what its users are shown.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
  private static final JavaClasses HOLDFAST =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.holdfast");

  private static final JavaClasses STARTER =
      HOLDFAST.that(resideInAPackage("dev.holdfast.spring.."));

  @Test
  void nobody_else_knows_spring() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.holdfast.spring..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework..", "dev.holdfast.spring..")
        .check(HOLDFAST);
  }

  @Test
  void it_speaks_no_sql_and_reaches_into_nothing() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "java.sql..",
            "org.jooq..",
            "org.flywaydb..",
            "org.postgresql..",
            "dev.holdfast.*.internal..",
            "io.temporal.internal..")
        .check(STARTER);
    noClasses()
        .should()
        .dependOnClassesThat()
        .haveNameMatching(
            "dev\\.holdfast\\.ledger\\.jooq\\.(?!JooqLedger$|LedgerOptions$|CommitLevel$).*")
        .check(STARTER);
  }

  @Test
  void at_least_half_of_the_types_are_package_private() {
    long all = STARTER.stream().filter(JavaClass::isTopLevelClass).count();
    long open =
        STARTER.stream()
            .filter(JavaClass::isTopLevelClass)
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .count();

    assertThat(all).isPositive();
    assertThat(open * 2).isLessThanOrEqualTo(all);
  }

  @Test
  void null_must_be_marked() {
    assertThat(STARTER.getPackage("dev.holdfast.spring").isAnnotatedWith(NullMarked.class))
        .isTrue();
  }

  @Test
  void every_property_has_its_description() throws IOException {
    JsonNode metadata;
    try (InputStream in =
        HoldfastProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
      metadata = new ObjectMapper().readTree(in);
    }

    assertThat(metadata.get("properties"))
        .hasSize(HoldfastProperties.class.getRecordComponents().length)
        .allSatisfy(
            property -> {
              assertThat(property.get("name").asText()).startsWith("holdfast.");
              assertThat(property.path("description").asText()).isNotBlank();
            });
  }
}
