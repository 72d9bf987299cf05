package dev.holdfast.ledger.testbed;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Stands on loopback between a driver and PostgreSQL, counts round trips and disturbs those it is
 * told to. Speaks the PostgreSQL protocol, version 3, without encryption.
 *
 * <p>What a connection exchanges while it is opened is not counted. Safe for use by many threads.
 */
public final class CountingProxy implements AutoCloseable {
  private final ServerSocket listener;
  private final int serverPort;
  private final List<ProxiedConnection> connections = new CopyOnWriteArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final List<RoundTrip> seen = new ArrayList<>();
  private final List<Order> orders = new ArrayList<>();

  private record Order(Predicate<RoundTrip> which, Disturbance disturbance) {}

  private CountingProxy(ServerSocket listener, int serverPort) {
    this.listener = listener;
    this.serverPort = serverPort;
  }

  /** Opens one in front of this ledger's server. */
  public static CountingProxy before(EmbeddedLedger ledger) {
    try {
      ServerSocket listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
      CountingProxy proxy = new CountingProxy(listener, ledger.port());
      Thread.ofVirtual().name("proxy").start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where drivers connect to. */
  public int port() {
    return listener.getLocalPort();
  }

  /** Disturbs the next round trip that this is true of, once. */
  public void disturbNext(Predicate<RoundTrip> which, Disturbance disturbance) {
    synchronized (seen) {
      orders.add(new Order(which, disturbance));
    }
  }

  /** Whether every disturbance that was ordered has happened. */
  public boolean isSpent() {
    synchronized (seen) {
      return orders.isEmpty();
    }
  }

  /** All round trips since the last reset, in the order in which their last byte was sent. */
  public List<RoundTrip> roundTrips() {
    synchronized (seen) {
      return List.copyOf(seen);
    }
  }

  /** Forgets what was counted, and what was ordered. */
  public void reset() {
    synchronized (seen) {
      seen.clear();
      orders.clear();
    }
  }

  /** How many connections were opened through it so far. */
  public int connectionsOpened() {
    return opened.get();
  }

  /** Cuts every connection that is open now; new ones may come. */
  public void cutAll() {
    connections.forEach(ProxiedConnection::close);
    connections.clear();
  }

  /** Notes a round trip that is complete on the client's side; yields what shall happen to it. */
  Optional<Disturbance> note(int connection, List<String> statements) {
    synchronized (seen) {
      RoundTrip trip = new RoundTrip(connection, seen.size() + 1, statements);
      seen.add(trip);
      for (Order order : orders) {
        if (order.which().test(trip)) {
          orders.remove(order);
          return Optional.of(order.disturbance());
        }
      }
      return Optional.empty();
    }
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        ProxiedConnection connection =
            new ProxiedConnection(this, opened.incrementAndGet(), client, server);
        connections.add(connection);
        if (listener.isClosed()) {
          // a client that came while it was being closed may still be let in
          connection.close();
        } else {
          connection.start();
        }
      } catch (IOException e) {
        // the listener was closed, or a client left before it was served: nothing to pass on
      }
    }
  }

  /** Stops listening and cuts every connection. */
  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cutAll();
  }
}
