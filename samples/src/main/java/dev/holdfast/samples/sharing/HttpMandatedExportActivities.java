package dev.holdfast.samples.sharing;

import dev.holdfast.BindingRef;
import dev.holdfast.activities.FencedEffect;
import java.net.URI;
import java.net.http.HttpClient;

/** Exports over HTTP; the mandate is the ledger's to judge. */
public final class HttpMandatedExportActivities implements MandatedExportActivities {
  private final HttpClient http;
  private final URI exporter;

  public HttpMandatedExportActivities(HttpClient http, URI exporter) {
    this.http = http;
    this.exporter = exporter;
  }

  @Override
  public ExportedDocument exportUnderMandate(
      String exportId, BindingRef mandate, ExportRequest request) {
    var response = FencedEffect.current().send(http, Wire.post(exporter, request));
    return Wire.read(response.body(), ExportedDocument.class);
  }
}
