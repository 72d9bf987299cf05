package dev.holdfast.ledger.testbed;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * One connection through the proxy. One thread passes whole round trips on to the server, another
 * one the answers, each up to its ReadyForQuery, to the client.
 */
final class ProxiedConnection {
  private final CountingProxy proxy;
  private final int number;
  private final Socket client;
  private final Socket server;
  // texts of the prepared statements, by the names that Bind refers to
  private final Map<String, String> prepared = new HashMap<>();
  // what the server has been asked and not yet answered, in order
  private final Queue<Owed> owed = new ConcurrentLinkedQueue<>();
  // of the first of them, how many parts were passed on; the answering thread's own
  private long answered;

  /** Each answer ends in a ReadyForQuery; a round trip has several where the driver pipelines. */
  private record Owed(long answers, Optional<Disturbance> disturbance) {}

  ProxiedConnection(CountingProxy proxy, int number, Socket client, Socket server) {
    this.proxy = proxy;
    this.number = number;
    this.client = client;
    this.server = server;
  }

  void start() throws IOException {
    client.setTcpNoDelay(true);
    server.setTcpNoDelay(true);
    Thread.ofVirtual().name("proxy-up-" + number).start(() -> run(this::passRequests));
    Thread.ofVirtual().name("proxy-down-" + number).start(() -> run(this::passAnswers));
  }

  void close() {
    closeQuietly(client);
    closeQuietly(server);
  }

  private interface Pump {
    void run() throws IOException, InterruptedException;
  }

  /** Whichever side ends first takes the other with it. */
  private void run(Pump pump) {
    try {
      pump.run();
    } catch (IOException e) {
      // one side hung up, or was cut
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  private void passRequests() throws IOException, InterruptedException {
    DataInputStream in = input(client);
    DataOutputStream out = output(server);
    passOpening(in, out);
    List<Frame> pending = new ArrayList<>();
    while (true) {
      Frame frame = Frame.readTyped(in);
      pending.add(frame);
      // what the driver sends behind it without waiting belongs to the same round trip
      if (frame.asksForAnswer() && in.available() == 0) {
        passRoundTrip(pending, out);
        pending.clear();
      } else if (!frame.isPartOfRoundTrip()) {
        write(pending, out);
        pending.clear();
      }
    }
  }

  private void passRoundTrip(List<Frame> frames, DataOutputStream out)
      throws IOException, InterruptedException {
    List<String> statements = new ArrayList<>();
    frames.forEach(frame -> name(frame, statements));
    Optional<Disturbance> disturbance = proxy.note(number, statements);
    if (disturbance.filter(Disturbance.CutBeforeServer.class::isInstance).isPresent()) {
      throw new EOFException("cut, as ordered");
    }
    if (disturbance.orElse(null) instanceof Disturbance.HoldRequest hold) {
      hold.until().await();
    }
    owed.add(new Owed(frames.stream().filter(Frame::asksForAnswer).count(), disturbance));
    write(frames, out);
  }

  /** The answer to the opening ends in a ReadyForQuery as well. */
  private void passOpening(DataInputStream in, DataOutputStream out) throws IOException {
    Frame opening = Frame.readUntyped(in);
    while (opening.asksForEncryption()) {
      client.getOutputStream().write('N');
      opening = Frame.readUntyped(in);
    }
    owed.add(new Owed(1, Optional.empty()));
    write(List.of(opening), out);
  }

  private void name(Frame frame, List<String> statements) {
    switch (frame.type()) {
      case Frame.PARSE -> prepared.put(frame.text(0), frame.text(1));
      case Frame.BIND -> statements.add(prepared.getOrDefault(frame.text(1), ""));
      case Frame.QUERY -> statements.add(frame.text(0));
      default -> {}
    }
  }

  private void passAnswers() throws IOException, InterruptedException {
    DataInputStream in = input(server);
    DataOutputStream out = output(client);
    while (true) {
      Frame frame = Frame.readTyped(in);
      Owed next = owed.peek();
      if (next != null && next.disturbance().isPresent()) {
        List<Frame> answer = readAnswer(frame, next.answers(), in);
        owed.remove();
        deliver(next.disturbance().get(), answer, out);
      } else {
        passUndisturbed(frame, in, out);
      }
    }
  }

  /** Frame by frame as they come: results may be large, and notices may come unasked. */
  private void passUndisturbed(Frame frame, DataInputStream in, DataOutputStream out)
      throws IOException {
    frame.write(out);
    if (frame.isReadyForQuery() && ++answered == owed.element().answers()) {
      answered = 0;
      owed.remove();
    }
    if (frame.isReadyForQuery() || in.available() == 0) {
      out.flush();
    }
  }

  private static List<Frame> readAnswer(Frame first, long answers, DataInputStream in)
      throws IOException {
    List<Frame> answer = new ArrayList<>(List.of(first));
    while (answer.stream().filter(Frame::isReadyForQuery).count() < answers) {
      answer.add(Frame.readTyped(in));
    }
    return answer;
  }

  private static void deliver(Disturbance disturbance, List<Frame> answer, DataOutputStream out)
      throws IOException, InterruptedException {
    if (disturbance instanceof Disturbance.CutBeforeAnswer) {
      throw new EOFException("cut, as ordered");
    }
    if (disturbance instanceof Disturbance.HoldAnswer hold) {
      hold.until().await();
    }
    if (!(disturbance instanceof Disturbance.SwallowAnswer)) {
      write(answer, out);
    }
  }

  private static void write(List<Frame> frames, DataOutputStream out) throws IOException {
    for (Frame frame : frames) {
      frame.write(out);
    }
    out.flush();
  }

  private static DataInputStream input(Socket socket) throws IOException {
    return new DataInputStream(new BufferedInputStream(socket.getInputStream()));
  }

  private static DataOutputStream output(Socket socket) throws IOException {
    return new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  private static void closeQuietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // it is gone either way
    }
  }
}
