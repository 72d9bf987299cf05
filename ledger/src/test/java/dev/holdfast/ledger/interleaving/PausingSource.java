package dev.holdfast.ledger.interleaving;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/**
 * Pauses a worker before each of its transactions: it holds no lock there, and whoever has the turn
 * never waits for it. Statements may be rewritten on their way.
 */
final class PausingSource {
  private PausingSource() {}

  static DataSource over(DataSource source, UnaryOperator<String> rewriting) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          if (!method.getName().equals("getConnection")) {
            return method.invoke(source, arguments);
          }
          Turns.point();
          return rewritten(source.getConnection(), rewriting);
        });
  }

  private static Connection rewritten(Connection connection, UnaryOperator<String> rewriting) {
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
            arguments[0] = rewriting.apply(sql);
          }
          return method.invoke(connection, arguments);
        });
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    InvocationHandler unwrapping =
        (self, method, arguments) -> {
          try {
            return handler.invoke(self, method, arguments);
          } catch (InvocationTargetException e) {
            throw e.getTargetException();
          }
        };
    return type.cast(
        Proxy.newProxyInstance(
            PausingSource.class.getClassLoader(), new Class<?>[] {type}, unwrapping));
  }
}
