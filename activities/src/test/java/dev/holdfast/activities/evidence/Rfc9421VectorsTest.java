package dev.holdfast.activities.evidence;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** The test cases of RFC 9421, appendix B, with the keys of B.1 and the messages of B.2 and B.4. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class Rfc9421VectorsTest {
  private static final VerificationKey ED25519 =
      VerificationKey.ed25519(
          new KeyId("test-key-ed25519"), decoded("JrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs="));
  private static final VerificationKey HMAC =
      VerificationKey.hmacSha256(
          new KeyId("test-shared-secret"),
          decoded(
              "uzvJfB4u3N0Jy4T7NZ75MDVcr8zSTInedJtkgcu46YW4XByzNJjxBdtjUkdJPBtbmHhIDi6pcl8jsasjlTMtDQ"
                  + "=="));
  private static final String ECC_P256 =
      "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEqIVYZVLCrPZHGHjP17CTW0/+D9Lf"
          + "w0EkjqF7xB4FivAxzic30tMM4GF+hR6Dxh71Z50VGGdldkkDXZCnTNnoXQ==";

  @Test
  void b24_the_base_of_a_response_is_what_the_elliptic_curve_key_signed() throws Exception {
    SignedMessage response =
        SignedMessage.response(
            200,
            signed(
                Map.of(
                    "Content-Type", "application/json",
                    "Content-Digest",
                        "sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0"
                            + "rjJuahq4l5aGgfLQ==:",
                    "Content-Length", "23"),
                "sig-b24=(\"@status\" \"content-type\" \"content-digest\" \"content-length\")"
                    + ";created=1618884473;keyid=\"test-key-ecc-p256\"",
                "sig-b24=:wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYU"
                    + "EkLIj+32oiasw==:"),
            "{\"message\": \"good dog\"}".getBytes(UTF_8));
    MessageSignature signature = MessageSignature.of(response).getFirst();
    PublicKey key =
        KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(decoded(ECC_P256)));
    Signature verifying = Signature.getInstance("SHA256withECDSAinP1363Format");
    verifying.initVerify(key);
    verifying.update(SignatureBase.of(signature.covered(), response));

    assertThat(verifying.verify(signature.bytes())).isTrue();
    SignedDigest.check(response);
  }

  @Test
  void b25_a_request_signed_by_hmac_sha256() {
    SignedMessage request =
        request(
            "sig-b25=(\"date\" \"@authority\" \"content-type\")"
                + ";created=1618884473;keyid=\"test-shared-secret\"",
            "sig-b25=:pxcQw6G3AjtMBQjwo8XzkZf/bws5LelbaMk5rGIGtE8=:");

    assertThat(base(request))
        .isEqualTo(
            """
            "date": Tue, 20 Apr 2021 02:07:55 GMT
            "@authority": example.com
            "content-type": application/json
            "@signature-params": ("date" "@authority" "content-type")\
            ;created=1618884473;keyid="test-shared-secret\"\
            """);
    assertThat(verifies(HMAC, request)).isTrue();
    assertThat(verifies(ED25519, request)).isFalse();
  }

  @Test
  void b26_a_request_signed_by_ed25519() {
    SignedMessage request =
        request(
            "sig-b26=(\"date\" \"@method\" \"@path\" \"@authority\" \"content-type\""
                + " \"content-length\");created=1618884473;keyid=\"test-key-ed25519\"",
            "sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lI"
                + "p5WPpBKRCw==:");

    assertThat(base(request))
        .isEqualTo(
            """
            "date": Tue, 20 Apr 2021 02:07:55 GMT
            "@method": POST
            "@path": /foo
            "@authority": example.com
            "content-type": application/json
            "content-length": 18
            "@signature-params": ("date" "@method" "@path" "@authority" "content-type"\
             "content-length");created=1618884473;keyid="test-key-ed25519\"\
            """);
    assertThat(verifies(ED25519, request)).isTrue();
    assertThat(verifies(HMAC, request)).isFalse();
  }

  @Test
  void b4_transformations_that_keep_the_meaning_keep_the_signature() {
    String demo = "https://example.org/demo?name1=Value1&Name2=value2";

    assertThat(transformed("GET", demo, "application/json", "*/*")).isTrue();
    assertThat(transformed("GET", demo, "application/json, */*")).isTrue();
    assertThat(transformed("GET", demo, "  application/json  ", " */*")).isTrue();
    assertThat(transformed("GET", demo + "&param=added", "application/json", "*/*")).isTrue();
  }

  @Test
  void b4_transformations_that_change_the_meaning_break_it() {
    String demo = "https://example.org/demo?name1=Value1&Name2=value2";

    assertThat(transformed("POST", demo, "application/json", "*/*")).isFalse();
    assertThat(transformed("GET", demo, "*/*", "application/json")).isFalse();
    assertThat(transformed("GET", demo.replace(".org", ".com"), "application/json", "*/*"))
        .isFalse();
  }

  private static boolean transformed(String method, String target, String... accept) {
    Map<String, List<String>> fields = new HashMap<>();
    fields.put("Accept", List.of(accept));
    fields.put(
        "Signature-Input",
        List.of(
            "transform=(\"@method\" \"@path\" \"@authority\" \"accept\")"
                + ";created=1618884473;keyid=\"test-key-ed25519\""));
    fields.put(
        "Signature",
        List.of(
            "transform=:ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5JZ1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m"
                + "0pmj3NDA==:"));
    return verifies(
        ED25519, SignedMessage.request(method, URI.create(target), fields, new byte[0]));
  }

  /** The test-request of B.2. */
  private static SignedMessage request(String input, String signature) {
    return SignedMessage.request(
        "POST",
        URI.create("https://example.com/foo?param=Value&Pet=dog"),
        signed(
            Map.of(
                "Host", "example.com",
                "Date", "Tue, 20 Apr 2021 02:07:55 GMT",
                "Content-Type", "application/json",
                "Content-Length", "18"),
            input,
            signature),
        "{\"hello\": \"world\"}".getBytes(UTF_8));
  }

  private static Map<String, List<String>> signed(
      Map<String, String> fields, String input, String signature) {
    Map<String, String> all = new HashMap<>(fields);
    all.put("Signature-Input", input);
    all.put("Signature", signature);
    return Effects.lines(all);
  }

  private static String base(SignedMessage message) {
    return new String(
        SignatureBase.of(MessageSignature.of(message).getFirst().covered(), message), US_ASCII);
  }

  private static boolean verifies(VerificationKey key, SignedMessage message) {
    MessageSignature signature = MessageSignature.of(message).getFirst();
    return key.verifies(SignatureBase.of(signature.covered(), message), signature.bytes());
  }

  private static byte[] decoded(String base64) {
    return Base64.getDecoder().decode(base64);
  }
}
