package dev.holdfast.activities.internal;

import dev.holdfast.ledger.Sha256;
import java.util.Optional;

/** What the digests that came with an answer say of its bytes. */
public enum DigestCheck {
  /** None came that could be compared. */
  ABSENT,
  /** At least one came, and all that could be compared are those of the bytes. */
  MATCHES,
  /** One is that of other bytes. */
  DIFFERS,
  /** A field came that is none. */
  MALFORMED;

  /** What a digest that the author took from an answer says. */
  public static DigestCheck of(Optional<Sha256> declared, byte[] body) {
    return declared.map(sent -> sent.equals(Sha256.of(body)) ? MATCHES : DIFFERS).orElse(ABSENT);
  }

  DigestCheck and(DigestCheck other) {
    return compareTo(other) >= 0 ? this : other;
  }
}
