package dev.holdfast.ledger;

import java.text.Normalizer;

/**
 * The one rule for text that names something: refused, never trimmed, folded or cut. Text that only
 * tells people something is made storable instead.
 */
final class Text {
  private static final int REPLACEMENT = 0xfffd;

  private Text() {}

  /**
   * Demands visible NFC text of at most {@code limit} code points without control characters or
   * lone surrogates.
   *
   * @param what what the text names, for the message; the text itself is never quoted
   */
  static String named(String what, String text, int limit) {
    return isPlain(text, limit) ? text : judged(what, text, limit);
  }

  /** Printable ASCII of that length breaks no rule, and is nearly every name there is. */
  private static boolean isPlain(String text, int limit) {
    boolean visible = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        return false;
      }
      visible |= c != ' ';
    }
    return visible && text.length() <= limit;
  }

  private static String judged(String what, String text, int limit) {
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

  /**
   * Text that is kept for people alone: control characters and lone surrogates replaced, the rest
   * cut off behind {@code limit} code points.
   */
  static String storable(String text, int limit) {
    return text.codePoints()
        .limit(limit)
        .map(point -> isStorable(point) ? point : REPLACEMENT)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isStorable(int point) {
    return !Character.isISOControl(point) && Character.getType(point) != Character.SURROGATE;
  }

  private static boolean isVisible(int point) {
    return !Character.isWhitespace(point)
        && !Character.isSpaceChar(point)
        && Character.getType(point) != Character.FORMAT
        && Character.getType(point) != Character.CONTROL;
  }
}
