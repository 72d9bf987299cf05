package dev.holdfast.samples.demo;

import java.nio.file.Path;
import java.util.List;

/** Starts classes of the demo's own class path in another JVM. */
final class Java {
  private Java() {}

  /** The command line up to the arguments. */
  static List<String> command(Class<?> main) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
        "-cp",
        System.getProperty("java.class.path"),
        main.getName());
  }
}
