package dev.holdfast.activities.evidence;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs as an upstream does, by writing the text of the RFC; shares no code with the verifier. */
public final class Signer {
  private final String keyId;
  private final VerificationKey key;
  private final Signing signing;

  private interface Signing {
    byte[] sign(byte[] message) throws GeneralSecurityException;
  }

  private Signer(String keyId, VerificationKey key, Signing signing) {
    this.keyId = keyId;
    this.key = key;
    this.signing = signing;
  }

  public static Signer ed25519(String keyId) {
    try {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      return new Signer(
          keyId,
          VerificationKey.ed25519(new KeyId(keyId), pair.getPublic()),
          message -> {
            Signature signature = Signature.getInstance("Ed25519");
            signature.initSign(pair.getPrivate());
            signature.update(message);
            return signature.sign();
          });
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  public static Signer hmac(String keyId) {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret);
    return new Signer(
        keyId,
        VerificationKey.hmacSha256(new KeyId(keyId), secret),
        message -> {
          Mac mac = Mac.getInstance("HmacSHA256");
          mac.init(new SecretKeySpec(secret, "HmacSHA256"));
          return mac.doFinal(message);
        });
  }

  /** What verifies it. */
  public VerificationKey key() {
    return key;
  }

  /** The fields of an answer: those given, the digest of its body, and a signature over all. */
  public Map<String, String> answer(
      int status, Map<String, String> fields, byte[] body, Instant created) {
    return sign("@status", Integer.toString(status), withDigest(fields, body), at(created));
  }

  /** The fields of a message that an upstream sends by itself. */
  public Map<String, String> delivery(
      int status, Map<String, String> fields, byte[] body, Instant created) {
    Map<String, String> all = withDigest(fields, body);
    all.put("holdfast-status", Integer.toString(status));
    return sign("", "", all, at(created));
  }

  /** The value of a webhook's field over this body. */
  public String stamp(byte[] body, Instant created) {
    byte[] head = (created.getEpochSecond() + ".").getBytes(US_ASCII);
    byte[] signed = new byte[head.length + body.length];
    System.arraycopy(head, 0, signed, 0, head.length);
    System.arraycopy(body, 0, signed, head.length, body.length);
    return "t=" + created.getEpochSecond() + ",v1=" + HexFormat.of().formatHex(bytes(signed));
  }

  /** The parameters that only say when. */
  static String at(Instant created) {
    return ";created=" + created.getEpochSecond();
  }

  static Map<String, String> withDigest(Map<String, String> fields, byte[] body) {
    Map<String, String> all = new LinkedHashMap<>();
    fields.forEach((name, value) -> all.put(name.toLowerCase(Locale.ROOT), value));
    all.put("content-digest", "sha-256=:" + base64(sha256(body)) + ":");
    return all;
  }

  /**
   * The fields with a signature over each of them, and over a component that is none where one is
   * named.
   */
  Map<String, String> sign(
      String component, String value, Map<String, String> fields, String parameters) {
    Map<String, String> others =
        component.isEmpty() ? Map.of() : Map.of('"' + component + '"', value);
    return signLines(others, fields, parameters);
  }

  /**
   * The fields with a signature over each of them, and over these components.
   *
   * @param others values by identifier, as it is written
   */
  Map<String, String> signLines(
      Map<String, String> others, Map<String, String> fields, String parameters) {
    Map<String, String> covered = new LinkedHashMap<>(others);
    fields.forEach((name, value) -> covered.put('"' + name + '"', value));
    String input =
        covered.keySet().stream().collect(Collectors.joining(" ", "(", ")"))
            + parameters
            + ";keyid=\""
            + keyId
            + '"';
    String base =
        covered.entrySet().stream()
            .map(one -> one.getKey() + ": " + one.getValue() + "\n")
            .collect(Collectors.joining("", "", "\"@signature-params\": " + input));
    Map<String, String> signed = new LinkedHashMap<>(fields);
    signed.put("signature-input", "sig=" + input);
    signed.put("signature", "sig=:" + base64(bytes(base.getBytes(US_ASCII))) + ":");
    return signed;
  }

  private byte[] bytes(byte[] message) {
    try {
      return signing.sign(message);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
