package dev.holdfast.samples.booking;

/** How many seats of which event. */
public record BookingRequest(String event, int seats) {}
