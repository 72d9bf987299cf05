package dev.holdfast.ledger.testbed;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** One message of the PostgreSQL protocol: a type, and a body behind its length. */
@SuppressWarnings("ArrayRecordComponent") // passed on, compared by nobody
record Frame(char type, byte[] body) {
  static final char PARSE = 'P';
  static final char BIND = 'B';
  static final char QUERY = 'Q';
  private static final char DESCRIBE = 'D';
  private static final char EXECUTE = 'E';
  private static final char CLOSE = 'C';
  private static final char SYNC = 'S';
  private static final char READY_FOR_QUERY = 'Z';
  // the messages that open a connection bear no type
  private static final char UNTYPED = 0;
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;

  static Frame readTyped(DataInputStream in) throws IOException {
    int type = in.read();
    if (type < 0) {
      throw new EOFException();
    }
    return new Frame((char) type, body(in));
  }

  static Frame readUntyped(DataInputStream in) throws IOException {
    return new Frame(UNTYPED, body(in));
  }

  private static byte[] body(DataInputStream in) throws IOException {
    byte[] body = new byte[in.readInt() - Integer.BYTES];
    in.readFully(body);
    return body;
  }

  void write(DataOutputStream out) throws IOException {
    if (type != UNTYPED) {
      out.writeByte(type);
    }
    out.writeInt(body.length + Integer.BYTES);
    out.write(body);
  }

  /** Whether it asks, before anything else, for an encrypted connection. */
  boolean asksForEncryption() {
    if (type != UNTYPED || body.length != Integer.BYTES) {
      return false;
    }
    int code = ByteBuffer.wrap(body).getInt();
    return code == SSL_REQUEST || code == GSS_REQUEST;
  }

  /** Whether the server answers it, and what came before it, by one ReadyForQuery. */
  boolean asksForAnswer() {
    return type == SYNC || type == QUERY;
  }

  /** Whether it may wait for the end of its round trip: nothing is owed before. */
  boolean isPartOfRoundTrip() {
    return asksForAnswer()
        || type == PARSE
        || type == BIND
        || type == DESCRIBE
        || type == EXECUTE
        || type == CLOSE;
  }

  boolean isReadyForQuery() {
    return type == READY_FOR_QUERY;
  }

  /** The n-th zero-terminated text from the start of the body, from 0. */
  String text(int n) {
    int start = 0;
    for (int skipped = 0; skipped < n; skipped++) {
      start = end(start) + 1;
    }
    return new String(body, start, end(start) - start, StandardCharsets.UTF_8);
  }

  private int end(int start) {
    int end = start;
    while (body[end] != 0) {
      end++;
    }
    return end;
  }
}
