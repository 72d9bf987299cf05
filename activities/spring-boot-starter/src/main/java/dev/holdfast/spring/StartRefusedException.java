package dev.holdfast.spring;

/** What the application says cannot be protected; says why, and what would help. */
final class StartRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String why;
  private final String cure;

  StartRefusedException(String why, String cure) {
    super(why + ": " + cure);
    this.why = why;
    this.cure = cure;
  }

  String why() {
    return why;
  }

  String cure() {
    return cure;
  }
}
