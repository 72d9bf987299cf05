package dev.holdfast.samples.sharing;

/** What to export, and how. Part of the request's fingerprint. */
public record ExportRequest(String document, String format) {}
