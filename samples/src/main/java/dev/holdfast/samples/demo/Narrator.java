package dev.holdfast.samples.demo;

import java.util.Locale;

/** The demo's voice: standard output, flushed line by line. */
final class Narrator {
  private Narrator() {}

  @SuppressWarnings("SystemOut") // it speaks to the person who runs it
  static void say(String line, Object... parts) {
    System.out.println(String.format(Locale.ROOT, line, parts));
    System.out.flush();
  }
}
