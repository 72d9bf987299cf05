package dev.holdfast.samples.sharing;

import dev.holdfast.OperationRef;
import dev.holdfast.activities.FencedEffect;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;

/** Publishes over HTTP. */
public final class HttpShareActivities implements ShareActivities {
  private final HttpClient http;
  private final URI publisher;

  public HttpShareActivities(HttpClient http, URI publisher) {
    this.http = http;
    this.publisher = publisher;
  }

  @Override
  public SharedLink share(String shareId, OperationRef export, ShareRequest request) {
    var body = Map.of("export", export.operation().key(), "audience", request.audience());
    var response = FencedEffect.current().send(http, Wire.post(publisher, body));
    return Wire.read(response.body(), SharedLink.class);
  }
}
