package dev.holdfast.ledger.jooq;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;

/**
 * A data source without the row lock that keeps rivals off, and a rival who commits between load
 * and compare-and-set: what is left then is the comparison.
 */
final class RivalBetween {
  private final DataSource source;
  private final Runnable rival;
  private final int times;
  private final AtomicInteger loads = new AtomicInteger();
  private final AtomicInteger met = new AtomicInteger();

  /**
   * Commits at the first so many compare-and-sets.
   *
   * @param change of one operation's row
   */
  RivalBetween(DataSource source, DSLContext sql, String change, String operation, int times) {
    this.source = source;
    this.times = times;
    this.rival = () -> change(sql, change, operation);
  }

  /** Changes a row as somebody may have changed it; the schema's guards are not asked. */
  static void change(DSLContext sql, String change, String operation) {
    sql.transaction(
        transaction -> {
          transaction.dsl().execute("set local session_replication_role = replica");
          int rows =
              transaction
                  .dsl()
                  .execute("update operation set " + change + " where operation_id = ?", operation);
          if (rows != 1) {
            throw new AssertionError(rows + " rows changed of " + operation);
          }
        });
  }

  DataSource source() {
    return proxy(
        DataSource.class,
        (self, method, arguments) -> {
          Object answer = method.invoke(source, arguments);
          return answer instanceof Connection connection ? meddled(connection) : answer;
        });
  }

  /** How often the operation was loaded to be judged. */
  int loads() {
    return loads.get();
  }

  private Connection meddled(Connection connection) {
    return proxy(
        Connection.class,
        (self, method, arguments) -> {
          if (method.getName().equals("prepareStatement") && arguments[0] instanceof String sql) {
            arguments[0] = meddled(sql);
          }
          return method.invoke(connection, arguments);
        });
  }

  private String meddled(String sql) {
    if (sql.startsWith("update \"holdfast\".\"operation\"") && met.getAndIncrement() < times) {
      rival.run();
    }
    String text = sql.replaceAll("\\s+", " ");
    if (!text.contains(" for update")) {
      return sql;
    }
    if (text.contains("\"held\" as materialized")) {
      loads.incrementAndGet();
    }
    return text.replace(" for update skip locked", "").replace(" for update", "");
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
            RivalBetween.class.getClassLoader(), new Class<?>[] {type}, unwrapping));
  }
}
