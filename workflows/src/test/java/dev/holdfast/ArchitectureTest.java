package dev.holdfast;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.IOException;
import java.io.StringWriter;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.time.Clock;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What the deterministic side must never know. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ArchitectureTest {
  private static final JavaClasses PRODUCTION =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.holdfast");

  /** Pure, or interfaces of the language. */
  private static final Set<String> HARMLESS =
      Set.of(
          IOException.class.getName(),
          StringWriter.class.getName(),
          "java.io.Writer",
          "java.io.Serializable",
          Callable.class.getName(),
          ConcurrentHashMap.class.getName(),
          // exceptions of a user's codec, told apart
          SocketException.class.getName(),
          SocketTimeoutException.class.getName(),
          UnknownHostException.class.getName(),
          HttpTimeoutException.class.getName(),
          TimeoutException.class.getName());

  @Test
  void no_jdbc_no_ledger_no_spring() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAnyPackage(
                "java.sql..",
                "javax.sql..",
                "org.jooq..",
                "org.springframework..",
                "dev.holdfast.ledger..",
                "dev.holdfast.activities.."))
        .check(PRODUCTION);
  }

  @Test
  void no_threads_and_no_io() {
    DescribedPredicate<JavaClass> beyond =
        resideInAnyPackage(
                "java.io..",
                "java.net..",
                "java.nio.file..",
                "java.nio.channels..",
                "java.util.concurrent..")
            .and(describe("are not harmless", type -> !HARMLESS.contains(type.getName())));
    noClasses().should().dependOnClassesThat(beyond).check(PRODUCTION);
    noClasses().should().dependOnClassesThat().areAssignableTo(Thread.class).check(PRODUCTION);
  }

  @Test
  void no_clock_and_no_chance() {
    noClasses().should().dependOnClassesThat().areAssignableTo(Clock.class).check(PRODUCTION);
    noClasses().should().dependOnClassesThat().areAssignableTo(Random.class).check(PRODUCTION);
    noClasses().should().callMethod(UUID.class, "randomUUID").check(PRODUCTION);
    noClasses().should().callMethod(Math.class, "random").check(PRODUCTION);
    noClasses().should().callMethod(System.class, "currentTimeMillis").check(PRODUCTION);
    noClasses().should().callMethod(System.class, "nanoTime").check(PRODUCTION);
    noClasses()
        .should()
        .callMethodWhere(
            describe(
                "java.time's now",
                call ->
                    call.getTarget().getName().equals("now")
                        && call.getTargetOwner().getPackageName().startsWith("java.time")))
        .check(PRODUCTION);
  }

  @Test
  void one_class_alone_knows_the_sdks_internals() {
    noClasses()
        .that()
        .doNotHaveSimpleName("WorkflowPayloads")
        .should()
        .dependOnClassesThat(resideInAPackage("io.temporal.internal.."))
        .check(PRODUCTION);
  }

  @Test
  void every_package_says_what_it_is_for_and_is_null_marked() throws ClassNotFoundException {
    Set<String> packages =
        PRODUCTION.stream()
            .map(JavaClass::getPackageName)
            .collect(java.util.stream.Collectors.toSet());

    assertThat(packages).hasSizeGreaterThanOrEqualTo(3);
    for (String name : packages) {
      Class<?> info = Class.forName(name + ".package-info");
      assertThat(info.isAnnotationPresent(NullMarked.class)).as(name).isTrue();
    }
  }

  @Test
  void no_internal_type_stands_in_a_public_signature() {
    Stream<JavaCodeUnit> signatures =
        PRODUCTION.stream()
            .filter(type -> !type.getPackageName().endsWith(".internal"))
            .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
            .flatMap(type -> type.getCodeUnits().stream())
            .filter(unit -> !unit.getModifiers().contains(JavaModifier.PRIVATE))
            .filter(unit -> !unit.getModifiers().contains(JavaModifier.SYNTHETIC));

    assertThat(signatures)
        .isNotEmpty()
        .allSatisfy(
            unit ->
                assertThat(
                        Stream.concat(
                            unit.getRawParameterTypes().stream(),
                            Stream.of(unit.getRawReturnType())))
                    .as(unit.getFullName())
                    .noneMatch(type -> type.getPackageName().endsWith(".internal")));
  }
}
