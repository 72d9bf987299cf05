package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.LocalDeadline;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Lends the connection of a transaction that stays the ledger's: what would end the transaction, or
 * outlast it, is refused, also by way of a statement. Savepoints are the borrower's own. Taken
 * back, it answers nothing any more.
 */
final class LentConnection implements AutoCloseable {
  private static final Set<String> LEDGERS_OWN =
      Set.of(
          "commit",
          "close",
          "abort",
          "setAutoCommit",
          "setTransactionIsolation",
          "setReadOnly",
          "setSchema",
          "setNetworkTimeout");

  private final Connection proxy;
  private final LocalDeadline end;
  private volatile boolean takenBack;

  /**
   * @param end when the lease is over by this process's clock: not every server bounds the
   *     transaction
   */
  LentConnection(Connection connection, LocalDeadline end) {
    this.end = end;
    this.proxy = proxyOf(Connection.class, connection);
  }

  /** For the borrower. */
  Connection proxy() {
    return proxy;
  }

  /** A thread that kept it can do no harm any more. */
  @Override
  public void close() {
    takenBack = true;
  }

  private <T> T proxyOf(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            LentConnection.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call(self, target, method, arguments)));
  }

  private @Nullable Object call(
      Object self, Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    if (method.getDeclaringClass() == Object.class) {
      return ofObject(self, target, method, arguments);
    }
    if (!method.getName().equals("close")) {
      refuseOutOfTime();
    }
    if (target instanceof Connection && isLedgersOwn(method)) {
      throw new SQLException(
          method.getName()
              + " is refused: transaction and connection belong to the ledger, which commits the"
              + " effect together with its receipt");
    }
    Object answer = passOn(target, method, arguments);
    // who asks for the driver's own type knows what it asks for
    return method.getName().equals("unwrap") ? answer : wrapped(answer);
  }

  private void refuseOutOfTime() throws SQLException {
    if (takenBack) {
      throw new SQLException(
          "the ledger's transaction is over: its connection was lent for it alone");
    }
    if (end.isPast()) {
      throw new SQLException("the lease ran out while the effect was under way: nothing is stored");
    }
  }

  private static boolean isLedgersOwn(Method method) {
    return LEDGERS_OWN.contains(method.getName())
        || (method.getName().equals("rollback") && method.getParameterCount() == 0);
  }

  @SuppressWarnings("ReferenceEquality") // a connection is equal to itself alone
  private static @Nullable Object ofObject(
      Object self, Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    return switch (method.getName()) {
      case "equals" -> arguments != null && self == arguments[0];
      case "hashCode" -> System.identityHashCode(self);
      default -> passOn(target, method, arguments);
    };
  }

  private static @Nullable Object passOn(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  /** Whatever leads back to the connection leads back to the proxy. */
  private @Nullable Object wrapped(@Nullable Object answer) {
    return switch (answer) {
      case CallableStatement call -> proxyOf(CallableStatement.class, call);
      case PreparedStatement prepared -> proxyOf(PreparedStatement.class, prepared);
      case Statement statement -> proxyOf(Statement.class, statement);
      case DatabaseMetaData about -> proxyOf(DatabaseMetaData.class, about);
      case Connection same -> proxy;
      case null -> null;
      default -> answer;
    };
  }
}
