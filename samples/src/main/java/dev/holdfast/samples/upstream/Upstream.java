package dev.holdfast.samples.upstream;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A running HTTP upstream on loopback. It honours {@code Idempotency-Key}: one key has one effect,
 * a repeated key gets the kept answer, a key in progress 409, a repeated key with another body 422,
 * a request without a key 400. Every answer carries the {@code Content-Digest} (RFC 9530) of its
 * bytes, and a signature (RFC 9421) by {@link SigningKey} over its status, its digest and the
 * fields of the request whose names begin with {@code Holdfast-}, which come back.
 *
 * <p>Other processes count with {@code GET /effects}, answered {@code {"effects": 1, "requests": 2,
 * "byKey": {…}}}, and steer with {@code POST /behaviour}: {@code {"behaviour": "answer-late",
 * "millis": 2000, "times": 1}}, where the name is one of {@link Behaviour} in kebab case, {@code
 * status} taking {@code code} and {@code effect}; {@code DELETE /behaviour} forgets what is left.
 * Thread-safe.
 */
public final class Upstream implements AutoCloseable {

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Script script = new Script();
  private final EffectLog log = new EffectLog();
  private final String path;

  private Upstream(HttpServer server, Work work) {
    this.server = server;
    this.path = work.path();
    ControlHandler control = new ControlHandler(script, log);
    server.createContext(path, new EffectHandler(work, script, log));
    server.createContext("/effects", control::effects);
    server.createContext("/behaviour", control::behaviour);
    server.setExecutor(threads);
  }

  static Upstream start(int port, Work work) throws IOException {
    InetAddress loopback = InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, port), 128);
    Upstream upstream = new Upstream(server, work);
    server.start();
    return upstream;
  }

  /** The port it listens on. */
  public int port() {
    return server.getAddress().getPort();
  }

  /** Where the effect is asked for by {@code POST}. */
  public URI uri() {
    return resolve(path);
  }

  /** Another path of this upstream, for example {@code /effects}. */
  public URI resolve(String other) {
    return URI.create("http://127.0.0.1:" + port()).resolve(other);
  }

  /** Treats the coming requests so, one behaviour each and in this order, after those queued. */
  public void behave(Behaviour... next) {
    script.add(List.of(next));
  }

  /** Forgets the behaviours that no request has used up. */
  public void calm() {
    script.clear();
  }

  /** Everything that really happened, in order. */
  public List<Effect> effects() {
    return log.effects();
  }

  /** How often the key had an effect: 0 or 1, else this upstream does not honour keys. */
  public int effectsOf(IdempotencyKey key) {
    return (int) effects().stream().filter(effect -> effect.key().equals(key)).count();
  }

  /** How many well-formed requests for an effect arrived, repeated ones included. */
  public int requests() {
    return log.requests();
  }

  /** The fencing tokens presented with the key, repeated requests included, in order of arrival. */
  public List<PresentedToken> tokensOf(IdempotencyKey key) {
    return log.tokensOf(key);
  }

  /** Closes the connections, those of held answers too. */
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
