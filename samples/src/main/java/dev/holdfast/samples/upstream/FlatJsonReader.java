package dev.holdfast.samples.upstream;

import java.math.BigDecimal;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads one {@link FlatJson}; anything else, a name given twice too, is an {@link
 * IllegalArgumentException}.
 */
final class FlatJsonReader {

  private static final Pattern SPACE = Pattern.compile("[ \\t\\r\\n]*+");
  private static final Pattern WORD =
      Pattern.compile("true|false|null|-?(?:0|[1-9]\\d*+)(?:\\.\\d++)?(?:[eE][+-]?\\d{1,3})?");
  private static final String ESCAPES = "\"\\/bfnrt";
  private static final String ESCAPED = "\"\\/\b\f\n\r\t";

  private final String text;
  private int at;

  FlatJsonReader(String text) {
    this.text = text;
  }

  Map<String, Object> object() {
    Map<String, Object> members = new LinkedHashMap<>();
    expect('{');
    if (!next('}')) {
      do {
        member(members);
      } while (next(','));
      expect('}');
    }
    token(SPACE);
    if (at != text.length()) {
      throw malformed();
    }
    return members;
  }

  /** A null member counts as an absent one. */
  private void member(Map<String, Object> members) {
    expect('"');
    String name = string();
    expect(':');
    Object value = next('"') ? string() : word(token(WORD));
    if (value != null && members.put(name, value) != null) {
      throw malformed();
    }
  }

  private @Nullable Object word(String word) {
    return switch (word) {
      case "" -> throw malformed();
      case "null" -> null;
      case "true" -> true;
      case "false" -> false;
      default -> new BigDecimal(word);
    };
  }

  /** The rest of a string whose opening quote was read. */
  private String string() {
    StringBuilder string = new StringBuilder();
    for (char c = take(); c != '"'; c = take()) {
      if (c < ' ') {
        throw malformed();
      }
      string.append(c == '\\' ? escaped(take()) : c);
    }
    return string.toString();
  }

  private char escaped(char c) {
    if (c == 'u' && at + 4 <= text.length()) {
      at += 4;
      return (char) HexFormat.fromHexDigits(text, at - 4, at);
    }
    int index = ESCAPES.indexOf(c);
    if (index < 0) {
      throw malformed();
    }
    return ESCAPED.charAt(index);
  }

  private String token(Pattern pattern) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      return "";
    }
    at = matcher.end();
    return matcher.group();
  }

  private boolean next(char c) {
    token(SPACE);
    boolean found = at < text.length() && text.charAt(at) == c;
    at += found ? 1 : 0;
    return found;
  }

  private void expect(char c) {
    if (!next(c)) {
      throw malformed();
    }
  }

  private char take() {
    if (at == text.length()) {
      throw malformed();
    }
    return text.charAt(at++);
  }

  private IllegalArgumentException malformed() {
    return new IllegalArgumentException("not a flat JSON object, at character " + at);
  }
}
