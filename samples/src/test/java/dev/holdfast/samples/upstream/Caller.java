package dev.holdfast.samples.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;

/** Talks to one upstream as any program would. */
final class Caller implements AutoCloseable {

  static final String DOCUMENT = "{\"document\": \"d-1\", \"format\": \"pdf\"}";

  private final HttpClient http = HttpClient.newHttpClient();
  private final URI root;

  Caller(URI root) {
    this.root = root;
  }

  HttpResponse<String> export(String key) throws Exception {
    return send(exporting(key, DOCUMENT).build());
  }

  HttpResponse<String> export(String key, String body) throws Exception {
    return send(exporting(key, body).build());
  }

  CompletableFuture<HttpResponse<String>> exportAsync(String key) {
    return http.sendAsync(exporting(key, DOCUMENT).build(), BodyHandlers.ofString());
  }

  HttpResponse<String> call(String method, String path, String body) throws Exception {
    return send(request(path).method(method, BodyPublishers.ofString(body)).build());
  }

  HttpRequest.Builder exporting(String key, String body) {
    return request("/exports").header("Idempotency-Key", key).POST(BodyPublishers.ofString(body));
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, BodyHandlers.ofString());
  }

  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(root.resolve(path));
  }

  static void assertTrueDigest(HttpResponse<String> response) {
    assertThat(response.headers().firstValue("Content-Digest"))
        .contains(Digests.contentDigestOf(response.body()));
  }

  @Override
  public void close() {
    http.shutdownNow();
    http.close();
  }
}
