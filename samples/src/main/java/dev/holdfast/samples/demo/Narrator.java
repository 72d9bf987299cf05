package dev.holdfast.samples.demo;

/** The demo's voice: standard output, flushed line by line. */
final class Narrator {
  private Narrator() {}

  @SuppressWarnings("SystemOut") // it speaks to the person who runs it
  static void say(String line) {
    System.out.println(line);
    System.out.flush();
  }
}
