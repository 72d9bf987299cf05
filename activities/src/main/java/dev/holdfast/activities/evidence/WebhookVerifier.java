package dev.holdfast.activities.evidence;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * Verifies bodies that a provider signs with a shared secret: one header field {@code
 * t=<seconds>,v1=<hex>[,v1=<hex>]}, where each {@code v1} is HMAC-SHA-256 over timestamp, full stop
 * and body, one for each secret while they are rotated. Only the body is signed, so tuple and
 * status are read from it and from nothing else.
 *
 * <p>Immutable; safe for use by many threads.
 */
public final class WebhookVerifier implements EvidenceVerifier {
  private static final int MOST = 8;

  private final String field;
  private final SignedStatement.Reader reader;
  private final KeyRing keys;
  private final Freshness freshness;
  private final SizeLimits limits;

  private WebhookVerifier(
      String field,
      SignedStatement.Reader reader,
      KeyRing keys,
      Freshness freshness,
      SizeLimits limits) {
    this.field = field;
    this.reader = reader;
    this.keys = keys;
    this.freshness = freshness;
    this.limits = limits;
  }

  /**
   * A verifier that trusts these secrets.
   *
   * @param field the header field that holds timestamp and signatures
   * @param reader what a signed body says
   * @param clock judges ages and retirements
   * @throws IllegalArgumentException no key, two of one name, or one that is no secret
   */
  public static WebhookVerifier of(
      String field, SignedStatement.Reader reader, Collection<VerificationKey> keys, Clock clock) {
    if (!keys.stream().allMatch(VerificationKey::isHmac)) {
      throw new IllegalArgumentException("a webhook is signed with a shared secret");
    }
    return new WebhookVerifier(
        field,
        reader,
        new KeyRing(keys),
        new Freshness(clock, Freshness.STANDARD_AGE),
        SizeLimits.STANDARD);
  }

  /** The same, believing what was signed at most so long ago. Default: 5 min. */
  public WebhookVerifier withMaxAge(Duration maxAge) {
    return new WebhookVerifier(
        field, reader, keys, new Freshness(freshness.clock(), maxAge), limits);
  }

  /** The same, reading bodies up to so many bytes. Default: 4 MiB. */
  public WebhookVerifier withMaxBody(int bytes) {
    return new WebhookVerifier(field, reader, keys, freshness, new SizeLimits(bytes));
  }

  /** The field's two parts. */
  private record Stamp(String seconds, List<byte[]> signatures) {
    Instant instant() {
      return Instant.ofEpochSecond(Long.parseLong(seconds));
    }

    byte[] signed(byte[] body) {
      ByteArrayOutputStream signed = new ByteArrayOutputStream();
      signed.writeBytes(seconds.getBytes(US_ASCII));
      signed.write('.');
      signed.writeBytes(body);
      return signed.toByteArray();
    }
  }

  @Override
  public Attestation verify(SignedMessage message) {
    try {
      limits.check(message, List.of(field));
      String value = message.field(field).orElseThrow(() -> new RefusedException(Refusal.UNSIGNED));
      Stamp stamp = stamp(value);
      VerificationKey key = signer(stamp, message.body());
      freshness.check(stamp.instant(), Optional.empty());
      return attested(message, key, stamp.instant());
    } catch (RefusedException e) {
      return new Attestation.Refused(e.reason());
    } catch (IllegalArgumentException e) {
      return new Attestation.Refused(Refusal.MALFORMED);
    }
  }

  private static Stamp stamp(String value) {
    List<String> seconds = new ArrayList<>();
    List<byte[]> signatures = new ArrayList<>();
    for (String part : value.split(",", -1)) {
      String trimmed = part.strip();
      if (trimmed.matches("t=[0-9]{1,12}")) {
        seconds.add(trimmed.substring("t=".length()));
      } else if (trimmed.startsWith("v1=")) {
        signatures.add(lowerHex(trimmed.substring("v1=".length())));
      }
    }
    if (signatures.isEmpty()) {
      throw new RefusedException(Refusal.UNSIGNED);
    }
    if (seconds.size() != 1) {
      throw new RefusedException(Refusal.MALFORMED);
    }
    if (signatures.size() > MOST) {
      throw new RefusedException(Refusal.TOO_BIG);
    }
    return new Stamp(seconds.getFirst(), signatures);
  }

  /** Lower case alone: else one signature could be written in several ways. */
  private static byte[] lowerHex(String text) {
    if (!text.matches("[0-9a-f]*")) {
      throw new RefusedException(Refusal.MALFORMED);
    }
    return HexFormat.of().parseHex(text);
  }

  /** No key is named, so each is tried; a retired one tells why it is not believed. */
  private VerificationKey signer(Stamp stamp, byte[] body) {
    byte[] signed = stamp.signed(body);
    List<VerificationKey> signers =
        keys.all().stream()
            .filter(key -> stamp.signatures().stream().anyMatch(one -> key.verifies(signed, one)))
            .toList();
    if (signers.isEmpty()) {
      throw new RefusedException(Refusal.SIGNATURE_INVALID);
    }
    Instant now = freshness.now();
    return signers.stream()
        .filter(key -> !key.isRetiredAt(now))
        .findFirst()
        .orElseThrow(() -> new RefusedException(Refusal.RETIRED_KEY));
  }

  private Attestation attested(SignedMessage message, VerificationKey key, Instant signedAt) {
    SignedStatement statement = read(message.body());
    if (!key.speaksFor(statement.effect())) {
      throw new RefusedException(Refusal.OTHER_SCOPE);
    }
    if (message.status().isPresent() && message.status().getAsInt() != statement.status()) {
      throw new RefusedException(Refusal.OTHER_STATUS);
    }
    return new Attestation.Attested(key.id(), statement.effect(), statement.status(), signedAt);
  }

  private SignedStatement read(byte[] body) {
    try {
      return reader.read(body);
    } catch (RuntimeException e) {
      throw new RefusedException(Refusal.MALFORMED);
    }
  }
}
