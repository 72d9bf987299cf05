package dev.holdfast.activities.evidence;

import static dev.holdfast.activities.evidence.Effects.EFFECT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Scope;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose signature counts, for whom and until when. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class VerificationKeysTest extends VerifierBed {
  @Test
  void a_key_that_nobody_gave_is_refused() {
    assertThat(refusal(trusting(Signer.ed25519("then").key()), answer(signed())))
        .isEqualTo(Refusal.UNKNOWN_KEY);
  }

  @Test
  void another_key_of_the_same_name_is_refused() {
    assertThat(refusal(trusting(Signer.ed25519("now").key()), answer(signed())))
        .isEqualTo(Refusal.SIGNATURE_INVALID);
  }

  @Test
  void a_key_counts_until_it_is_retired_and_not_from_that_instant_on() {
    VerificationKey until = SIGNER.key().retiredAt(NOW.plusMillis(1));

    assertThat(trusting(until).verify(answer(signed()))).isInstanceOf(Attestation.Attested.class);
    assertThat(refusal(trusting(SIGNER.key().retiredAt(NOW)), answer(signed())))
        .isEqualTo(Refusal.RETIRED_KEY);
  }

  @Test
  void a_retired_key_is_not_believed_though_its_signature_claims_to_be_older() {
    Instant before = NOW.minusSeconds(200);
    Map<String, String> fields = SIGNER.answer(201, EFFECT.fields(), BODY, before);

    assertThat(refusal(trusting(SIGNER.key().retiredAt(NOW.minusSeconds(100))), answer(fields)))
        .isEqualTo(Refusal.RETIRED_KEY);
  }

  @Test
  void while_keys_are_rotated_both_are_believed() {
    Signer next = Signer.ed25519("next");
    MessageSignatureVerifier both = trusting(SIGNER.key(), next.key());

    assertThat(both.verify(answer(signed()))).isInstanceOf(Attestation.Attested.class);
    assertThat(both.verify(answer(next.answer(201, EFFECT.fields(), BODY, NOW))))
        .isInstanceOf(Attestation.Attested.class);
  }

  @Test
  void the_algorithm_that_a_signer_names_chooses_nothing() {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);

    assertThat(refusal(answer(named("hmac-sha256", all)))).isEqualTo(Refusal.WRONG_ALGORITHM);
    assertThat(refusal(answer(named("none", all)))).isEqualTo(Refusal.WRONG_ALGORITHM);
    assertThat(verifier.verify(answer(named("ed25519", all))))
        .isInstanceOf(Attestation.Attested.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"rsa-pss-sha512", "rsa-v1_5-sha256", "ecdsa-p256-sha256", "ecdsa-p384-sha384"})
  void the_other_algorithms_of_the_rfc_are_refused_by_name(String algorithm) {
    Map<String, String> all = Signer.withDigest(EFFECT.fields(), BODY);

    assertThat(refusal(answer(named(algorithm, all)))).isEqualTo(Refusal.WRONG_ALGORITHM);
  }

  @ParameterizedTest
  @ValueSource(strings = {"RSA", "EC", "Ed448"})
  void a_key_of_another_kind_cannot_be_trusted(String kind) throws GeneralSecurityException {
    PublicKey other = KeyPairGenerator.getInstance(kind).generateKeyPair().getPublic();

    assertThatThrownBy(() -> VerificationKey.ed25519(new KeyId("now"), other))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static Map<String, String> named(String algorithm, Map<String, String> all) {
    return SIGNER.sign("@status", "201", all, Signer.at(NOW) + ";alg=\"" + algorithm + '"');
  }

  @Test
  void a_public_key_is_no_secret_that_one_could_sign_with() {
    Signer shared = Signer.hmac("now");
    Map<String, String> forged = shared.answer(201, EFFECT.fields(), BODY, NOW);

    assertThat(refusal(answer(forged))).isEqualTo(Refusal.SIGNATURE_INVALID);
  }

  @Test
  void a_key_speaks_for_the_tenants_that_it_was_given_for() {
    VerificationKey own = SIGNER.key().forScopes(new Scope("tenant-ä"), new Scope("other"));
    VerificationKey foreign = SIGNER.key().forScopes(new Scope("other"));

    assertThat(trusting(own).verify(answer(signed()))).isInstanceOf(Attestation.Attested.class);
    assertThat(refusal(trusting(foreign), answer(signed()))).isEqualTo(Refusal.OTHER_SCOPE);
  }

  @Test
  void a_verifier_needs_keys_each_of_a_name_of_its_own() {
    assertThatThrownBy(() -> trusting()).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> trusting(SIGNER.key(), Signer.hmac("now").key()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("now");
  }

  @Test
  void a_key_that_is_none_or_too_weak_is_refused_and_none_is_shown() {
    KeyId id = new KeyId("now");

    assertThatThrownBy(() -> VerificationKey.ed25519(id, new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> VerificationKey.hmacSha256(id, new byte[31]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(VerificationKey.hmacSha256(id, "S3CR3T".repeat(8).getBytes(UTF_8)).toString())
        .isEqualTo("key now");
  }
}
