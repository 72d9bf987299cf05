package dev.holdfast.activities.internal;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/** An upstream on loopback that answers as it is told, and remembers what it was sent. */
final class HttpUpstream implements AutoCloseable {
  private final HttpServer server;
  private final List<Headers> seen = new CopyOnWriteArrayList<>();

  /** How one request is answered. */
  @FunctionalInterface
  interface Answer {
    void write(HttpExchange exchange) throws IOException;
  }

  private HttpUpstream(HttpServer server) {
    this.server = server;
  }

  static HttpUpstream answering(Answer answer) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    HttpUpstream upstream = new HttpUpstream(server);
    server.createContext(
        "/",
        exchange -> {
          upstream.seen.add(exchange.getRequestHeaders());
          exchange.getRequestBody().readAllBytes();
          answer.write(exchange);
          exchange.close();
        });
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return upstream;
  }

  static HttpUpstream answering(int status, byte[] body, String... headers) throws IOException {
    return answering(
        exchange -> {
          for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().add(headers[i], headers[i + 1]);
          }
          boolean bodiless = status == 204 || status == 304;
          exchange.sendResponseHeaders(status, bodiless || body.length == 0 ? -1 : body.length);
          if (!bodiless && body.length > 0) {
            exchange.getResponseBody().write(body);
          }
        });
  }

  URI uri() {
    return uri(server.getAddress().getPort());
  }

  static URI uri(int port) {
    return URI.create("http://127.0.0.1:" + port + "/documents");
  }

  static HttpRequest post(URI uri) {
    return HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString("S3CR3T-7f payload")).build();
  }

  HttpRequest post() {
    return post(uri());
  }

  List<Headers> seen() {
    return List.copyOf(seen);
  }

  static HttpClient client() {
    return HttpClient.newHttpClient();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
