package dev.holdfast.activities.internal;

import dev.holdfast.activities.UpstreamKey;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.Tuple;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * Makes upstream keys: SHA-256 over a domain tag, scope, operation id, epoch and dispatch name,
 * each behind its length. Attempt, token and generation stay out, so that a resend is the same
 * effect.
 */
public final class UpstreamKeys {
  private static final String DOMAIN = "holdfast-upstream-key-1";
  private static final String PREFIX = "hf1-";

  private UpstreamKeys() {}

  /** The key of one dispatch; the unnamed one bears the empty name. */
  public static UpstreamKey of(Reservation reservation, Epoch epoch, String dispatchName) {
    return of(Tuple.of(reservation, epoch), dispatchName);
  }

  /** The key of the unnamed dispatch. */
  static UpstreamKey of(Tuple tuple) {
    return of(tuple, "");
  }

  private static UpstreamKey of(Tuple tuple, String dispatchName) {
    MessageDigest digest = sha256();
    add(digest, DOMAIN);
    add(digest, tuple.scope().value());
    add(digest, tuple.operation().text());
    add(digest, Integer.toString(tuple.epoch().value()));
    add(digest, dispatchName);
    return new UpstreamKey(
        PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest()));
  }

  private static void add(MessageDigest digest, String field) {
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    digest.update(bytes);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
