package dev.holdfast.samples.sharing;

/** With whom to share. */
public record ShareRequest(String audience) {}
