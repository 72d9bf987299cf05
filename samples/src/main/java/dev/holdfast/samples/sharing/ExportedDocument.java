package dev.holdfast.samples.sharing;

/** What the exporter made. */
public record ExportedDocument(String export, String document, String format) {}
