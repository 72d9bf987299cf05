package dev.holdfast.activities.evidence;

import java.util.List;

/**
 * What a verifier reads at most, and whether a message came whole.
 *
 * @param body bytes of the body
 */
record SizeLimits(int body) {
  /** More than an answer about one effect needs, little enough to be read in one piece. */
  static final SizeLimits STANDARD = new SizeLimits(4 * 1024 * 1024);

  private static final int FIELD = 16 * 1024;

  SizeLimits {
    if (body < 1) {
      throw new IllegalArgumentException("a verifier that reads nothing: " + body);
    }
  }

  /**
   * @param fields that are read
   * @throws RefusedException the message is too big, or cut
   */
  void check(SignedMessage message, List<String> fields) {
    boolean longField =
        fields.stream()
            .anyMatch(name -> message.lines(name).stream().mapToInt(String::length).sum() > FIELD);
    if (longField || message.body().length > body) {
      throw new RefusedException(Refusal.TOO_BIG);
    }
    if (message.field("content-length").filter(length -> isCut(length, message)).isPresent()) {
      throw new RefusedException(Refusal.CUT);
    }
  }

  /** Of a body that is longer than announced, the digest says so. */
  private static boolean isCut(String length, SignedMessage message) {
    return length.matches("[0-9]{1,10}") && Long.parseLong(length) > message.body().length;
  }
}
