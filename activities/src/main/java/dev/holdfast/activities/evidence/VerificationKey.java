package dev.holdfast.activities.evidence;

import dev.holdfast.Scope;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * A key that an upstream signs with, pinned to its one algorithm: what a message says of its own
 * algorithm chooses nothing. Immutable; each method returns a changed key. Safe for use by many
 * threads.
 */
public final class VerificationKey {
  private static final int ED25519_LENGTH = 32;
  private static final int LEAST_SECRET = 32;

  /** What stands before the 32 bytes of a key in its SubjectPublicKeyInfo (RFC 8410). */
  private static final String ED25519_INFO = "302a300506032b6570032100";

  /** The algorithms, by their names in RFC 9421, section 6.2.2. */
  enum Algorithm {
    ED25519("ed25519"),
    HMAC_SHA256("hmac-sha256");

    private final String registered;

    Algorithm(String registered) {
      this.registered = registered;
    }
  }

  private final KeyId id;
  private final Algorithm algorithm;
  private final Key key;
  private final @Nullable Instant retiredAt;
  private final Set<String> scopes;

  private VerificationKey(
      KeyId id, Algorithm algorithm, Key key, @Nullable Instant retiredAt, Set<String> scopes) {
    this.id = id;
    this.algorithm = algorithm;
    this.key = key;
    this.retiredAt = retiredAt;
    this.scopes = scopes;
  }

  /**
   * An Ed25519 public key (RFC 8032).
   *
   * @param publicKey its 32 bytes
   * @throws IllegalArgumentException it is none
   */
  public static VerificationKey ed25519(KeyId id, byte[] publicKey) {
    if (publicKey.length != ED25519_LENGTH) {
      throw new IllegalArgumentException("an Ed25519 key has " + ED25519_LENGTH + " bytes");
    }
    byte[] info = HexFormat.of().parseHex(ED25519_INFO + HexFormat.of().formatHex(publicKey));
    try {
      return ed25519(
          id, KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(info)));
    } catch (InvalidKeySpecException e) {
      throw new IllegalArgumentException("no Ed25519 key", e);
    } catch (GeneralSecurityException e) {
      throw noSuch(e);
    }
  }

  /**
   * An Ed25519 public key (RFC 8032).
   *
   * @throws IllegalArgumentException it is of another kind
   */
  public static VerificationKey ed25519(KeyId id, PublicKey publicKey) {
    try {
      signature().initVerify(publicKey);
    } catch (InvalidKeyException e) {
      throw new IllegalArgumentException("no Ed25519 key", e);
    }
    return new VerificationKey(id, Algorithm.ED25519, publicKey, null, Set.of());
  }

  /**
   * A secret that this side shares with the upstream, for HMAC-SHA-256 (RFC 2104). Whoever has it
   * can sign too.
   *
   * @param secret at least 32 bytes
   * @throws IllegalArgumentException it is too short
   */
  public static VerificationKey hmacSha256(KeyId id, byte[] secret) {
    if (secret.length < LEAST_SECRET) {
      throw new IllegalArgumentException("a secret of less than " + LEAST_SECRET + " bytes");
    }
    return new VerificationKey(
        id, Algorithm.HMAC_SHA256, new SecretKeySpec(secret, "HmacSHA256"), null, Set.of());
  }

  /** The same, not trusted from then on, whatever time a signature claims to be of. */
  public VerificationKey retiredAt(Instant end) {
    return new VerificationKey(id, algorithm, key, end, scopes);
  }

  /** The same, speaking for these tenants alone. Without this it speaks for all of them. */
  public VerificationKey forScopes(Scope... tenants) {
    Set<String> named = Set.copyOf(Arrays.stream(tenants).map(Scope::value).toList());
    if (named.isEmpty()) {
      throw new IllegalArgumentException("a key for nobody");
    }
    return new VerificationKey(id, algorithm, key, retiredAt, named);
  }

  /** Its name. */
  public KeyId id() {
    return id;
  }

  boolean isHmac() {
    return algorithm == Algorithm.HMAC_SHA256;
  }

  /** Whether the name that a signer gives to the algorithm is that of this key's. */
  boolean isOfAlgorithm(String named) {
    return algorithm.registered.equals(named);
  }

  boolean isRetiredAt(Instant now) {
    return retiredAt != null && !now.isBefore(retiredAt);
  }

  boolean speaksFor(EffectTuple effect) {
    return scopes.isEmpty() || scopes.contains(effect.tuple().scope().value());
  }

  /** Whether the holder of this key signed these bytes; takes as long whatever is wrong. */
  boolean verifies(byte[] signed, byte[] signature) {
    return switch (algorithm) {
      case ED25519 -> verifiesEd25519(signed, signature);
      case HMAC_SHA256 -> MessageDigest.isEqual(hmac(signed), signature);
    };
  }

  private boolean verifiesEd25519(byte[] signed, byte[] signature) {
    Signature verifying = signature();
    try {
      verifying.initVerify((PublicKey) key);
      verifying.update(signed);
      return verifying.verify(signature);
    } catch (SignatureException e) {
      return false; // not of the form of a signature
    } catch (InvalidKeyException e) {
      throw noSuch(e);
    }
  }

  private static Signature signature() {
    try {
      return Signature.getInstance("Ed25519");
    } catch (GeneralSecurityException e) {
      throw noSuch(e);
    }
  }

  private byte[] hmac(byte[] signed) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(key);
      return mac.doFinal(signed);
    } catch (GeneralSecurityException e) {
      throw noSuch(e);
    }
  }

  private static IllegalStateException noSuch(GeneralSecurityException e) {
    return new IllegalStateException("every Java platform has it", e);
  }

  /** Its name alone. */
  @Override
  public String toString() {
    return "key " + id;
  }
}
