package dev.holdfast.samples.upstream;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** The Ed25519 key of the upstreams of one process; each process has one of its own. */
public final class SigningKey {

  /** What its signatures call it. */
  public static final String ID = "upstreams-2026";

  private static final KeyPair PAIR = pair();

  private SigningKey() {}

  /** What customers verify with. */
  public static PublicKey published() {
    return PAIR.getPublic();
  }

  static byte[] sign(byte[] message) {
    try {
      Signature signature = Signature.getInstance("Ed25519");
      PrivateKey secret = PAIR.getPrivate();
      signature.initSign(secret);
      signature.update(message);
      return signature.sign();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has Ed25519", e);
    }
  }

  private static KeyPair pair() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError("every JDK has Ed25519", e);
    }
  }
}
