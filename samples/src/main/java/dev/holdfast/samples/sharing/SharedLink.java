package dev.holdfast.samples.sharing;

/** What the publisher made. */
public record SharedLink(String share, String link) {}
