package dev.holdfast.samples.booking;

/** A booking as it stands in the database. */
public record Booking(String bookingId, String event, int seats) {}
