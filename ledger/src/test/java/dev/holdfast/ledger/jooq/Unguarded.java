package dev.holdfast.ledger.jooq;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * A data source whose statements go out with guards taken out of their text, to show what the guard
 * is for: a hazard that does not appear behind it proves nothing. The ledger above it is unchanged.
 */
final class Unguarded {
  private final DataSource source;
  private final Map<String, String> replaced = new LinkedHashMap<>();
  private final Set<String> met = ConcurrentHashMap.newKeySet();

  private Unguarded(DataSource source) {
    this.source = source;
  }

  static Unguarded over(DataSource source) {
    return new Unguarded(source);
  }

  /** Takes a predicate out: it holds whatever the row says. Its parameters stay. */
  Unguarded without(String predicate) {
    return with(predicate, "((" + predicate + ") or true)");
  }

  /** Puts other words in place of these. */
  Unguarded with(String words, String others) {
    replaced.put(words, others);
    return this;
  }

  JooqLedger ledger() {
    return JooqLedger.open(proxy(DataSource.class, source, this::open), LedgerOptions.standard());
  }

  /** Whether each of them stood in some statement: one that is not there guards nothing. */
  boolean isMet() {
    return met.equals(replaced.keySet());
  }

  private Object open(String method, Object[] arguments, Object answer) {
    return answer instanceof Connection connection
        ? proxy(Connection.class, connection, (name, given, result) -> result)
        : answer;
  }

  private interface After {
    Object take(String method, Object[] arguments, Object answer);
  }

  private <T> T proxy(Class<T> type, T target, After after) {
    InvocationHandler handler =
        (self, method, arguments) -> {
          if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
            arguments[0] = rewritten(sql);
          }
          try {
            return after.take(method.getName(), arguments, method.invoke(target, arguments));
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private String rewritten(String sql) {
    String text = sql.replaceAll("\\s+", " ");
    for (Map.Entry<String, String> one : replaced.entrySet()) {
      if (text.contains(one.getKey())) {
        met.add(one.getKey());
        text = text.replace(one.getKey(), one.getValue());
      }
    }
    return text;
  }
}
