package dev.holdfast.samples.sharing;

import dev.holdfast.activities.FencedEffect;
import java.net.URI;
import java.net.http.HttpClient;

/** Exports over HTTP. */
public final class HttpExportActivities implements ExportActivities {
  private final HttpClient http;
  private final URI exporter;

  public HttpExportActivities(HttpClient http, URI exporter) {
    this.http = http;
    this.exporter = exporter;
  }

  @Override
  public ExportedDocument export(String exportId, ExportRequest request) {
    var response = FencedEffect.current().send(http, Wire.post(exporter, request));
    return Wire.read(response.body(), ExportedDocument.class);
  }
}
