package dev.holdfast.activities.internal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamUnverifiedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class UnsentTest {
  private static final byte[] OK =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(US_ASCII);
  private static final byte[] HANDSHAKE_FAILURE = {0x15, 3, 3, 0, 2, 2, 40};

  private final OpenEffect effect = OpenEffect.of("export");

  /** What a server does with one connection. */
  @FunctionalInterface
  interface Conduct {
    void of(Socket connection) throws IOException;
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void a_refused_connection_was_not_dispatched(HttpClient.Version version) throws IOException {
    assertUnsent(
        client(version), HttpUpstream.post(HttpUpstream.uri(closedPort())), "connection-refused");
  }

  @Test
  void an_unknown_host_was_not_dispatched() {
    HttpRequest request = HttpUpstream.post(URI.create("http://no-such-host.invalid/documents"));
    assertUnsent(HttpUpstream.client(), request, "unknown-host");
  }

  @Test
  void a_delete_without_a_body_that_was_refused_was_not_dispatched() throws IOException {
    HttpRequest request = HttpRequest.newBuilder(HttpUpstream.uri(closedPort())).DELETE().build();
    assertUnsent(HttpUpstream.client(), request, "connection-refused");
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void a_handshake_that_the_server_rejects_was_not_dispatched(HttpClient.Version version)
      throws IOException {
    assertTlsUnsent(version, connection -> connection.getOutputStream().write(HANDSHAKE_FAILURE));
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void a_handshake_that_the_server_breaks_off_was_not_dispatched(HttpClient.Version version)
      throws IOException {
    assertTlsUnsent(version, Socket::close);
  }

  @Test
  void a_server_that_speaks_no_tls_was_sent_nothing() throws IOException {
    assertTlsUnsent(
        HttpClient.Version.HTTP_2, connection -> connection.getOutputStream().write(OK));
  }

  @Test
  void a_connection_that_does_not_come_about_in_time_was_not_dispatched() throws IOException {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket first = new Socket(full.getInetAddress(), full.getLocalPort());
        Socket second = new Socket(full.getInetAddress(), full.getLocalPort())) {
      assertThat(first.isConnected() && second.isConnected()).isTrue();
      HttpRequest hurried =
          HttpRequest.newBuilder(
                  HttpUpstream.post(HttpUpstream.uri(full.getLocalPort())), (n, v) -> true)
              .timeout(Duration.ofMillis(300))
              .build();

      assertUnsent(HttpUpstream.client(), hurried, "connect-timeout");
    }
  }

  @Test
  void a_connection_that_is_cut_after_the_request_leaves_the_outcome_unknown() throws IOException {
    try (ServerSocket server = serving(UnsentTest::readRequest)) {
      assertUnknown(
          HttpUpstream.client(), HttpUpstream.post(HttpUpstream.uri(server.getLocalPort())));
    }
  }

  @Test
  void a_connection_that_is_cut_before_the_request_is_read_leaves_the_outcome_unknown()
      throws IOException {
    try (ServerSocket server = serving(connection -> {})) {
      assertUnknown(
          HttpUpstream.client(), HttpUpstream.post(HttpUpstream.uri(server.getLocalPort())));
    }
  }

  @Test
  void an_answer_that_is_cut_short_leaves_the_outcome_unknown() throws IOException {
    byte[] cut = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nS3CR3T-7f".getBytes(US_ASCII);
    try (ServerSocket server =
        serving(
            connection -> {
              readRequest(connection);
              connection.getOutputStream().write(cut);
            })) {
      assertUnknown(
          HttpUpstream.client(), HttpUpstream.post(HttpUpstream.uri(server.getLocalPort())));
    }
  }

  @Test
  void an_answer_that_is_no_http_is_not_quoted() throws IOException {
    try (ServerSocket server =
        serving(
            connection -> {
              readRequest(connection);
              connection.getOutputStream().write("S3CR3T-7f\r\n\r\n".getBytes(US_ASCII));
            })) {
      assertUnknown(
          HttpUpstream.client(), HttpUpstream.post(HttpUpstream.uri(server.getLocalPort())));
    }
  }

  /**
   * The first request came to its end over a pooled connection; its silent repetition was refused.
   */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST"})
  void a_refusal_proves_nothing_when_a_pooled_connection_broke_before_it(String method)
      throws Exception {
    try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      Thread.startVirtualThread(() -> answerOnceThenVanish(server));
      HttpClient client = client(HttpClient.Version.HTTP_1_1);
      URI uri = HttpUpstream.uri(server.getLocalPort());
      var unused = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
      HttpRequest request =
          method.equals("GET") ? HttpRequest.newBuilder(uri).build() : HttpUpstream.post(uri);

      assertUnknown(client, request);
    }
  }

  private void assertUnsent(HttpClient client, HttpRequest request, String reason) {
    assertThatThrownBy(() -> effect.run(e -> e.send(client, request)))
        .isInstanceOf(NotDispatchedException.class)
        .hasMessage(reason)
        .hasNoCause();
    assertThat(effect.state())
        .isInstanceOfSatisfying(DispatchState.Refused.class, s -> assertThat(s.status()).isZero());
  }

  private void assertTlsUnsent(HttpClient.Version version, Conduct conduct) throws IOException {
    try (ServerSocket server =
        serving(
            connection -> {
              connection.getInputStream().read(new byte[512]);
              conduct.of(connection);
            })) {
      URI uri = URI.create("https://127.0.0.1:" + server.getLocalPort() + "/documents");
      assertUnsent(client(version), HttpUpstream.post(uri), "tls");
    }
  }

  private void assertUnknown(HttpClient client, HttpRequest request) {
    assertThatThrownBy(() -> effect.run(e -> e.send(client, request)))
        .isInstanceOf(UpstreamUnverifiedException.class)
        .hasNoCause()
        .message()
        .doesNotContain("S3CR3T");
    assertThat(effect.state())
        .isInstanceOfSatisfying(
            DispatchState.Unverified.class, s -> assertThat(s.reason()).startsWith("lost_answer:"));
  }

  private static HttpClient client(HttpClient.Version version) {
    return HttpClient.newBuilder().version(version).build();
  }

  private static int closedPort() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return server.getLocalPort();
    }
  }

  /** Treats each connection like this, then closes it. */
  private static ServerSocket serving(Conduct conduct) throws IOException {
    ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
    Thread.startVirtualThread(
        () -> {
          while (!server.isClosed()) {
            treatOne(server, conduct);
          }
        });
    return server;
  }

  private static void treatOne(ServerSocket server, Conduct conduct) {
    try (Socket connection = server.accept()) {
      conduct.of(connection);
    } catch (IOException e) {
      assertThat(e).as("the client went, or the test is over").isNotNull();
    }
  }

  private static void answerOnceThenVanish(ServerSocket server) {
    try (Socket connection = server.accept()) {
      readRequest(connection);
      connection.getOutputStream().write(OK);
      readRequest(connection);
      server.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads up to the end of a body, or of a head without one. */
  private static void readRequest(Socket connection) throws IOException {
    InputStream in = connection.getInputStream();
    StringBuilder read = new StringBuilder();
    while (!read.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        return;
      }
      read.append((char) next);
    }
    if (read.indexOf("Content-Length") >= 0) {
      in.readNBytes("S3CR3T-7f payload".length());
    }
  }
}
