package dev.holdfast.ledger.jooq;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import javax.sql.DataSource;

/** Keeps the text of every statement that is prepared through it. */
final class SpokenStatements {
  private final Set<String> texts = new ConcurrentSkipListSet<>();

  DataSource over(DataSource source) {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object answer = method.invoke(source, arguments);
          return answer instanceof Connection connection ? heard(connection) : answer;
        });
  }

  Set<String> texts() {
    return texts;
  }

  private Connection heard(Connection connection) {
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
            texts.add(sql);
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
            SpokenStatements.class.getClassLoader(), new Class<?>[] {type}, unwrapping));
  }
}
