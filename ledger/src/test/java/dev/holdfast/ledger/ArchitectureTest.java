package dev.holdfast.ledger;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import dev.holdfast.ledger.jooq.generated.Tables;
import dev.holdfast.ledger.jooq.generated.tables.Observation;
import java.time.Clock;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.List;
import org.jooq.PlainSQL;
import org.jooq.impl.DSL;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The borders of the module, and what must not cross them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
  private static final String JOOQ = "dev.holdfast.ledger.jooq";
  private static final String GENERATED = "dev.holdfast.ledger.jooq.generated..";

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.holdfast.ledger");
  private static final JavaClasses TESTS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.OnlyIncludeTests())
          .importPackages("dev.holdfast.ledger");

  @Test
  void the_ledger_knows_neither_temporal_nor_spring() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.temporal..", "org.springframework..", "dev.holdfast.activities.."));
  }

  @Test
  void jooq_is_named_in_its_own_package_alone() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(JOOQ + "..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.jooq..", GENERATED, "org.flywaydb..", "org.postgresql.."));
  }

  @Test
  void sql_is_spoken_in_the_package_of_jooq_alone() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(JOOQ + "..")
            // an effect of the caller's own, in the ledger's transaction
            .and(not(simpleName("TransactionalEffect")))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("java.sql..", "javax.sql.."));
  }

  @Test
  void settlement_is_pure() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.holdfast.ledger.settlement")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(JOOQ + "..", "java.sql..", "java.io..", "java.util.concurrent.."));
  }

  private static final ArchRule NO_SQL_STRINGS =
      noClasses()
          .that(not(simpleName("PostgresClock")))
          .should()
          .callCodeUnitWhere(target(are(annotatedWith(PlainSQL.class))));

  @Test
  void sql_strings_are_written_in_one_class() {
    check(NO_SQL_STRINGS);
  }

  private static final ArchRule NO_CLOCK_BUT_THE_DATABASES =
      noClasses()
          .should()
          .callMethod(Instant.class, "now")
          .orShould()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethodWhere(
              target(owner(equivalentTo(DSL.class)))
                  .and(target(are(nameMatching("now|current(Instant|Timestamp|Time|Date).*")))))
          .orShould()
          .dependOnClassesThat()
          .belongToAnyOf(LocalDateTime.class, Clock.class);

  @Test
  void lease_time_is_the_databases() {
    check(NO_CLOCK_BUT_THE_DATABASES);
  }

  /**
   * What an observation says decides nothing, but for evidence that awaits its pick-up and the
   * definite answers of the very attempt that it is of.
   */
  @Test
  void observations_are_read_by_those_alone_who_decide_nothing_by_them() {
    String evidence = "PendingRows|DefiniteRows";
    String marksOfClosedAttempts = "AttemptRows";
    String whetherAReportWasStoredBefore = "StoredReports|UnverifiedDeliveries";
    String forAPersonToRead = "StoryRows|StoryReader|QuarantineRows";
    String writers =
        "ObservationInsert|ClosingObservation|ActWriter|AbandonStatement|ParkStatement";
    check(
        noClasses()
            .that()
            .haveNameNotMatching(
                ".*[.](%s|%s|%s|%s|%s)([$].*)?"
                    .formatted(
                        evidence,
                        marksOfClosedAttempts,
                        whetherAReportWasStoredBefore,
                        forAPersonToRead,
                        writers))
            .should()
            .accessField(Tables.class, "OBSERVATION")
            .orShould()
            .accessField(Observation.class, "OBSERVATION"));
    check(
        noClasses()
            .that()
            .haveNameMatching(".*[.](ObservationInsert|ClosingObservation|ActWriter)([$].*)?")
            .should()
            .callMethodWhere(target(are(nameMatching("from|selectFrom|fetchExists|fetchCount")))));
  }

  @Test
  void the_facade_is_all_that_the_package_of_jooq_shows() {
    check(
        classes()
            .that()
            .resideInAPackage(JOOQ)
            .and()
            .arePublic()
            .should()
            .haveNameMatching(".*[.](JooqLedger|LedgerOptions|CommitLevel)"));
  }

  @Test
  void nobody_prints_or_sleeps() {
    ArchRule nobodySleeps = noClasses().should().callMethod(Thread.class, "sleep", long.class);
    check(nobodySleeps);
    nobodySleeps.check(TESTS);
    check(
        noClasses()
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err"));
  }

  @Test
  void every_package_says_that_null_must_be_marked() {
    assertThat(packages(MAIN)).isNotEmpty().allMatch(p -> p.isAnnotatedWith(NullMarked.class));
  }

  @Test
  void names_say_what_a_type_is() {
    check(
        noClasses()
            .should()
            .haveNameMatching(
                ".*(Manager|Helper|Utils?|Impl|Service|Processor|Data|Info|Base|Common)"));
  }

  @Test
  void at_least_half_of_the_types_are_hidden() {
    List<JavaClass> types = MAIN.stream().filter(ArchitectureTest::isHandWrittenTopLevel).toList();
    List<JavaClass> shown =
        types.stream().filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC)).toList();

    assertThat(shown).hasSizeLessThanOrEqualTo(types.size() / 2);
  }

  @Test
  void a_crossing_would_be_seen() {
    JavaClasses crossing = new ClassFileImporter().importClasses(Crossing.class);

    assertThatThrownBy(() -> NO_SQL_STRINGS.check(crossing))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("DSL.field");
    assertThatThrownBy(() -> NO_CLOCK_BUT_THE_DATABASES.check(crossing))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("DSL.currentInstant")
        .hasMessageContaining("Instant.now");
  }

  private static final class Crossing {
    @SuppressWarnings("unused")
    List<Object> crosses() {
      return List.of(Instant.now(), DSL.currentInstant(), DSL.field("now()"));
    }
  }

  private static void check(ArchRule rule) {
    rule.check(MAIN.that(not(resideInAPackage(GENERATED))));
  }

  private static List<JavaPackage> packages(JavaClasses classes) {
    return classes.stream()
        .filter(ArchitectureTest::isHandWrittenTopLevel)
        .map(JavaClass::getPackage)
        .distinct()
        .toList();
  }

  private static boolean isHandWrittenTopLevel(JavaClass type) {
    return type.isTopLevelClass()
        && !type.getSimpleName().equals("package-info")
        && !resideInAPackage(GENERATED).test(type);
  }
}
