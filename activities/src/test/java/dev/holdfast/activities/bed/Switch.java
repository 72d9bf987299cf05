package dev.holdfast.activities.bed;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source whose server can be taken away, as new connections see it, and brought back. */
public final class Switch implements DataSource {
  private final DataSource server;
  private volatile boolean on = true;

  public Switch(DataSource server) {
    this.server = server;
  }

  public void turn(boolean nowOn) {
    on = nowOn;
  }

  @Override
  public Connection getConnection() throws SQLException {
    if (!on) {
      // what the driver says where nobody listens
      throw new SQLException("Connection refused", "08001");
    }
    return server.getConnection();
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    return getConnection();
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(@Nullable PrintWriter out) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return server.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return server.isWrapperFor(type);
  }
}
