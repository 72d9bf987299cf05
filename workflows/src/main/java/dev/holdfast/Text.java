package dev.holdfast;

import java.text.Normalizer;

/** The one rule for text that names something: refused, never trimmed, folded or cut. */
final class Text {
  private Text() {}

  /**
   * Demands visible NFC text of at most {@code limit} code points without control characters or
   * lone surrogates.
   *
   * @param what what the text names, for the message; the text itself is never quoted
   */
  static String named(String what, String text, int limit) {
    if (text.codePoints().noneMatch(Text::isVisible)) {
      throw new IllegalArgumentException(what + " is blank");
    }
    if (text.codePointCount(0, text.length()) > limit) {
      throw new IllegalArgumentException(what + " is longer than " + limit + " characters");
    }
    if (text.codePoints().anyMatch(point -> Character.getType(point) == Character.SURROGATE)) {
      throw new IllegalArgumentException(what + " holds a lone surrogate");
    }
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(what + " holds a control character");
    }
    if (!Normalizer.isNormalized(text, Normalizer.Form.NFC)) {
      throw new IllegalArgumentException(what + " is not in Unicode normal form C");
    }
    return text;
  }

  private static boolean isVisible(int point) {
    return !Character.isWhitespace(point)
        && !Character.isSpaceChar(point)
        && Character.getType(point) != Character.FORMAT
        && Character.getType(point) != Character.CONTROL;
  }
}
