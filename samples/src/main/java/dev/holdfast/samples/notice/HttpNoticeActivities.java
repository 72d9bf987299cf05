package dev.holdfast.samples.notice;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.activities.FencedEffect;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

/** Posts over HTTP. */
public final class HttpNoticeActivities implements NoticeActivities {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http;
  private final URI publisher;

  public HttpNoticeActivities(HttpClient http, URI publisher) {
    this.http = http;
    this.publisher = publisher;
  }

  @Override
  public String post(String noticeId, String audience) {
    var response = FencedEffect.current().send(http, request(noticeId, audience));
    try {
      return JSON.readTree(response.body()).required("link").textValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private HttpRequest request(String noticeId, String audience) {
    try {
      return HttpRequest.newBuilder(publisher)
          .header("Content-Type", "application/json")
          .POST(
              BodyPublishers.ofByteArray(
                  JSON.writeValueAsBytes(Map.of("export", noticeId, "audience", audience))))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("a request that is no JSON", e);
    }
  }
}
