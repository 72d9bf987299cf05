package dev.holdfast.samples.booking;

import dev.holdfast.activities.FencedEffect;
import java.sql.SQLException;

/**
 * Books over the connection that the ledger hands out: one commit for booking, receipt and result.
 */
public final class JdbcBookingActivities implements BookingActivities {
  private final Runnable insideTheTransaction;

  public JdbcBookingActivities() {
    this(() -> {});
  }

  /**
   * For a demonstration.
   *
   * @param insideTheTransaction runs after the insert, before the commit
   */
  public JdbcBookingActivities(Runnable insideTheTransaction) {
    this.insideTheTransaction = insideTheTransaction;
  }

  @Override
  public Booking book(String bookingId, BookingRequest request) {
    try {
      return FencedEffect.current()
          .inLedgerTransaction(
              connection -> {
                Booking booking = Bookings.insert(connection, bookingId, request);
                insideTheTransaction.run();
                return booking;
              });
    } catch (SQLException e) {
      throw new IllegalStateException("the booking was rolled back", e);
    }
  }
}
