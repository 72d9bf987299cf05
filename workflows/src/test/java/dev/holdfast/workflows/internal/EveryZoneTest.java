package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** One request in machines of other zones and languages. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EveryZoneTest {
  static Stream<Arguments> machines() {
    return Stream.of("UTC", "Asia/Tokyo", "America/New_York")
        .flatMap(zone -> Stream.of("tr", "ar", "en").map(language -> Arguments.of(zone, language)))
        .limit(5);
  }

  // case A11
  @ParameterizedTest
  @MethodSource("machines")
  void the_fingerprint_is_that_of_this_machine(String zone, String language) throws Exception {
    assertThat(inAnotherMachine(zone, language)).isEqualTo(fingerprint());
  }

  private static String inAnotherMachine(String zone, String language)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Duser.timezone=" + zone, "-Duser.language=" + language));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.add(EveryZoneTest.class.getName());
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return output;
  }

  /** What the other machine runs. */
  public static void main(String[] arguments) {
    System.out.print(fingerprint());
  }

  @SuppressWarnings("JavaUtilDate")
  private static String fingerprint() {
    Instant change = Instant.parse("2026-11-01T05:30:00Z");
    Object request =
        Map.of(
            "TITLE",
            "Iıİi",
            "at",
            change,
            "hourLater",
            change.plusSeconds(3600).atZone(ZoneId.systemDefault()),
            "offset",
            OffsetDateTime.ofInstant(change, ZoneId.systemDefault()),
            "date",
            Date.from(change),
            "everything",
            new VectorTypes.Everything(
                OffsetDateTime.ofInstant(change, ZoneId.systemDefault()),
                new UUID(1, 2),
                LocalDate.of(2026, 3, 8),
                Duration.ofMinutes(90),
                VectorTypes.Color.RED,
                new byte[] {1, 2},
                Set.of("I", "i", "ı"),
                Map.of("I", new java.math.BigDecimal("1234567.891")),
                Optional.of("x")));
    return Sha256.ofUtf8(CanonicalJson.of(request, Object.class));
  }
}
