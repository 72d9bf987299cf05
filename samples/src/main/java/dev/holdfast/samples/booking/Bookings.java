package dev.holdfast.samples.booking;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The table of the application, in the ledger's database but not in its schema. */
public final class Bookings {
  private Bookings() {}

  /** Creates the table where it does not stand yet. */
  public static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create table if not exists public.booking (
            booking_number bigint not null generated always as identity,
            booking_id varchar(255) not null,
            event varchar(255) not null,
            seats integer not null)
          """);
    }
  }

  /** Books; nothing here keeps a second booking out, so that a duplicate would be seen. */
  static Booking insert(Connection connection, String bookingId, BookingRequest request)
      throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "insert into public.booking (booking_id, event, seats) values (?, ?, ?)")) {
      insert.setString(1, bookingId);
      insert.setString(2, request.event());
      insert.setInt(3, request.seats());
      insert.executeUpdate();
    }
    return new Booking(bookingId, request.event(), request.seats());
  }

  /** How many bookings were committed under this id. */
  public static int count(Connection connection, String bookingId) throws SQLException {
    try (PreparedStatement count =
        connection.prepareStatement("select count(*) from public.booking where booking_id = ?")) {
      count.setString(1, bookingId);
      try (ResultSet rows = count.executeQuery()) {
        rows.next();
        return rows.getInt(1);
      }
    }
  }
}
