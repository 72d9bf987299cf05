package dev.holdfast.samples.sharing;

import dev.holdfast.BindingRef;
import java.net.URI;
import java.net.http.HttpClient;

/** Exports over HTTP; the mandate is the ledger's to judge. */
public final class HttpMandatedExportActivities implements MandatedExportActivities {
  private final ExportActivities exports;

  public HttpMandatedExportActivities(HttpClient http, URI exporter) {
    this.exports = new HttpExportActivities(http, exporter);
  }

  @Override
  public ExportedDocument exportUnderMandate(
      String exportId, BindingRef mandate, ExportRequest request) {
    return exports.export(exportId, request);
  }
}
