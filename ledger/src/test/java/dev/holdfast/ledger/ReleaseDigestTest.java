package dev.holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReleaseDigestTest {
  private static final Scope SCOPE = new Scope("tenant-ä");
  private static final ResourceId RESOURCE = ResourceId.shared("a|7");
  private static final FencingToken TOKEN = new FencingToken(7);
  private static final Sha256 REQUEST = Sha256.ofUtf8("request");
  private static final Sha256 RESPONSE = Sha256.ofUtf8("response");

  /**
   * The expected digest was made by Python:
   *
   * <pre>{@code
   * import hashlib, struct
   * sha = lambda text: hashlib.sha256(text.encode()).hexdigest()
   * fields = ["holdfast-release-1", "tenant-ä", "export:doc-1", "1764500000001", "export:doc-1", sha("request"), sha("response")]
   * print(hashlib.sha256(b"".join(struct.pack(">I", len(f.encode())) + f.encode() for f in fields)).hexdigest())
   * }</pre>
   */
  @Test
  void it_is_the_published_digest_of_its_fields() {
    OperationId operation = new OperationId("export", "doc-1");

    Sha256 digest =
        ReleaseDigest.of(
            SCOPE,
            ResourceId.of(operation),
            new FencingToken(1764500000001L),
            operation.text(),
            REQUEST,
            RESPONSE);

    assertThat(digest.hex())
        .isEqualTo("d90febf4ff7714d473d00ae522ee9b840456a90441d74f041c6ce501762065e7");
  }

  @Test
  void two_receipts_that_the_seed_joins_to_one_text_have_two_digests() {
    ResourceId longer = ResourceId.shared("a|7");
    ResourceId shorter = ResourceId.shared("a");
    assertThat(seedText(longer, TOKEN, "key")).isEqualTo(seedText(shorter, TOKEN, "7|key"));

    assertThat(ReleaseDigest.of(SCOPE, longer, TOKEN, "key", REQUEST, RESPONSE))
        .isNotEqualTo(ReleaseDigest.of(SCOPE, shorter, TOKEN, "7|key", REQUEST, RESPONSE));
  }

  @Test
  void every_field_counts() {
    assertThat(
            new Sha256[] {
              ReleaseDigest.of(SCOPE, RESOURCE, TOKEN, "key", REQUEST, RESPONSE),
              ReleaseDigest.of(new Scope("tenant"), RESOURCE, TOKEN, "key", REQUEST, RESPONSE),
              ReleaseDigest.of(SCOPE, ResourceId.shared("b"), TOKEN, "key", REQUEST, RESPONSE),
              ReleaseDigest.of(SCOPE, RESOURCE, new FencingToken(8), "key", REQUEST, RESPONSE),
              ReleaseDigest.of(SCOPE, RESOURCE, TOKEN, "other", REQUEST, RESPONSE),
              ReleaseDigest.of(SCOPE, RESOURCE, TOKEN, "key", RESPONSE, RESPONSE),
              ReleaseDigest.of(SCOPE, RESOURCE, TOKEN, "key", REQUEST, REQUEST)
            })
        .doesNotHaveDuplicates();
  }

  private static String seedText(ResourceId resource, FencingToken token, String key) {
    return resource.value() + "|" + token + "|" + key + "|" + RESPONSE;
  }
}
