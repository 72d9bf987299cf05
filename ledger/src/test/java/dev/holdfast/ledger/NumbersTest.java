package dev.holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class NumbersTest {
  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void tokens_revisions_and_receipts_are_numbered_from_one(long number) {
    assertRefused(() -> new FencingToken(number));
    assertRefused(() -> new Revision(number));
    assertRefused(() -> new ReceiptNumber(number));
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, Integer.MIN_VALUE})
  void generations_and_epochs_are_counted_from_zero(int number) {
    assertRefused(() -> new Generation(number));
    assertRefused(() -> new Epoch(number));
    assertThat(new Generation(0).value()).isZero();
    assertThat(new Epoch(0).value()).isZero();
  }

  @Test
  void a_margin_of_exactly_the_rest_is_kept() {
    LeaseMargin margin = new LeaseMargin(Duration.ofMillis(50));

    assertThat(margin.isKeptBy(Duration.ofMillis(50))).isTrue();
    assertThat(margin.isKeptBy(Duration.ofMillis(50).minusNanos(1))).isFalse();
    assertThat(margin.isKeptBy(Duration.ofMillis(-50))).isFalse();
    assertThat(new LeaseMargin(Duration.ZERO).isKeptBy(Duration.ofNanos(-1))).isFalse();
    assertRefused(() -> new LeaseMargin(Duration.ofNanos(-1)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "abc",
        "E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855",
        "g3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b8550",
        " 3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
      })
  void a_digest_is_64_lower_case_digits(String text) {
    assertRefused(() -> new Sha256(text));
  }

  /** The digest of nothing, from FIPS 180-4's examples. */
  @Test
  void a_digest_is_sha_256_of_the_bytes() {
    String ofNothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    assertThat(Sha256.of(new byte[0]).hex()).isEqualTo(ofNothing);
    assertThat(Sha256.ofDigest(new Sha256(ofNothing).bytes()).hex()).isEqualTo(ofNothing);
    assertThat(new Sha256(ofNothing).shortHex()).isEqualTo("e3b0c44298fc");
    assertRefused(() -> Sha256.ofDigest(new byte[31]));
  }

  @Test
  void a_stored_value_is_its_bytes_and_keeps_them() {
    byte[] bytes = {0, 1, 2};
    StoredResult.Value value = new StoredResult.Value(bytes);
    bytes[0] = 9;
    value.encoded()[1] = 9;

    assertThat(value).isEqualTo(new StoredResult.Value(new byte[] {0, 1, 2}));
    assertThat(value).hasSameHashCodeAs(new StoredResult.Value(new byte[] {0, 1, 2}));
    assertThat(value).hasToString("Value[3 bytes]");
  }

  @Test
  void a_value_null_and_nothing_are_three_results() {
    assertThat(
            new StoredResult[] {
              new StoredResult.Value(new byte[0]),
              new StoredResult.Null(),
              new StoredResult.NoValue(),
              new StoredResult.NotStored(Sha256.of(new byte[0]))
            })
        .doesNotHaveDuplicates();
  }

  private static void assertRefused(ThrowingCallable making) {
    assertThatThrownBy(making).isInstanceOf(IllegalArgumentException.class);
  }
}
