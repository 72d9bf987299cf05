package dev.holdfast.activities.bed;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.CodecDataConverter;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.payload.codec.PayloadCodec;
import io.temporal.payload.codec.PayloadCodecException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** Encrypts with one key, and decrypts with each that it has. */
public final class AesGcm implements PayloadCodec {
  /** Metadata entry that names the key. */
  public static final String KEY_ID = "key-id";

  private static final ByteString ENCODING = ByteString.copyFromUtf8("binary/encrypted");
  private static final int NONCE = 12;
  private static final int TAG_BITS = 128;

  private final String current;
  private final Set<String> keys;
  private final SecureRandom random = new SecureRandom();

  private AesGcm(String current, Set<String> keys) {
    this.current = current;
    this.keys = keys;
  }

  /**
   * The default converter behind this codec.
   *
   * @param current name of the key to encrypt with
   * @param older names of keys that are only read with
   */
  public static DataConverter converter(String current, String... older) {
    Set<String> keys = new HashSet<>(Arrays.asList(older));
    keys.add(current);
    return new CodecDataConverter(
        DefaultDataConverter.newDefaultInstance(), List.of(new AesGcm(current, keys)));
  }

  @Override
  public List<Payload> encode(List<Payload> payloads) {
    return payloads.stream().map(this::encrypted).toList();
  }

  @Override
  public List<Payload> decode(List<Payload> payloads) {
    return payloads.stream().map(this::decrypted).toList();
  }

  private Payload encrypted(Payload plain) {
    byte[] nonce = new byte[NONCE];
    random.nextBytes(nonce);
    ByteString sealed =
        ByteString.copyFrom(crypt(Cipher.ENCRYPT_MODE, current, nonce, plain.toByteArray()));
    return Payload.newBuilder()
        .putMetadata("encoding", ENCODING)
        .putMetadata(KEY_ID, ByteString.copyFromUtf8(current))
        .setData(ByteString.copyFrom(nonce).concat(sealed))
        .build();
  }

  private Payload decrypted(Payload payload) {
    if (!ENCODING.equals(payload.getMetadataMap().get("encoding"))) {
      return payload;
    }
    String key = payload.getMetadataOrThrow(KEY_ID).toStringUtf8();
    if (!keys.contains(key)) {
      throw new PayloadCodecException("the key " + key + " was removed");
    }
    ByteString data = payload.getData();
    byte[] sealed = data.substring(NONCE).toByteArray();
    try {
      return Payload.parseFrom(
          crypt(Cipher.DECRYPT_MODE, key, data.substring(0, NONCE).toByteArray(), sealed));
    } catch (InvalidProtocolBufferException e) {
      throw new PayloadCodecException(e);
    }
  }

  /** The tests' keys are digests of their names. */
  private static byte[] crypt(int mode, String key, byte[] nonce, byte[] text) {
    try {
      byte[] secret =
          MessageDigest.getInstance("SHA-256").digest(key.getBytes(StandardCharsets.UTF_8));
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(mode, new SecretKeySpec(secret, "AES"), new GCMParameterSpec(TAG_BITS, nonce));
      return cipher.doFinal(text);
    } catch (GeneralSecurityException e) {
      throw new PayloadCodecException(e);
    }
  }
}
