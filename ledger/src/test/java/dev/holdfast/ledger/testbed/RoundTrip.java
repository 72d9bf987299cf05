package dev.holdfast.ledger.testbed;

import java.util.List;
import java.util.Locale;

/**
 * One exchange on the wire: all that a client sent before it waited for the answer.
 *
 * @param connection number of the connection through the proxy, from 1
 * @param number position among all round trips since the last reset, from 1
 * @param statements texts of the statements executed, in order
 */
public record RoundTrip(int connection, int number, List<String> statements) {
  public RoundTrip {
    statements = List.copyOf(statements);
  }

  /** Whether one of its statements holds this text, in either case. */
  public boolean mentions(String text) {
    String wanted = text.toLowerCase(Locale.ROOT);
    return statements.stream()
        .anyMatch(statement -> statement.toLowerCase(Locale.ROOT).contains(wanted));
  }
}
