package dev.holdfast.activities.evidence;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Verifies HTTP Message Signatures (RFC 9421) by Ed25519 and HMAC-SHA-256. A signature counts when
 * it covers {@code @status}, {@code content-digest} and every field of the tuple ({@link
 * EffectTuple#fieldNames}), names a key of this verifier that is not retired, was made not longer
 * ago than the maximal age, and its digest is that of the body.
 *
 * <p>A message that an upstream sends by itself has no status of HTTP's own: its signature covers
 * the field {@value #STATUS_FIELD} instead, an integer, the status that the answer would have
 * borne.
 *
 * <p>Of several signatures one that counts is enough, so that keys can be rotated and proxies may
 * add their own. Immutable; safe for use by many threads.
 */
public final class MessageSignatureVerifier implements EvidenceVerifier {
  /** Where a message that is no answer says how its request ended. */
  public static final String STATUS_FIELD = "Holdfast-Status";

  private static final Set<String> ALWAYS =
      Stream.concat(Stream.of(SignedDigest.FIELD), EffectTuple.fieldNames().stream())
          .map(name -> name.toLowerCase(Locale.ROOT))
          .collect(Collectors.toUnmodifiableSet());
  private static final Set<String> IN_ANSWERS = and("@status");
  private static final Set<String> IN_REQUESTS = and(STATUS_FIELD.toLowerCase(Locale.ROOT));
  private static final List<String> READ =
      Stream.concat(IN_REQUESTS.stream(), Stream.of("signature", "signature-input")).toList();

  private final KeyRing keys;
  private final Freshness freshness;
  private final SizeLimits limits;

  private MessageSignatureVerifier(KeyRing keys, Freshness freshness, SizeLimits limits) {
    this.keys = keys;
    this.freshness = freshness;
    this.limits = limits;
  }

  /**
   * A verifier that trusts these keys: the current one, its predecessor until that is retired, its
   * successor before it signs.
   *
   * @param clock judges ages and retirements
   * @throws IllegalArgumentException no key, or two of one name
   */
  public static MessageSignatureVerifier of(Collection<VerificationKey> keys, Clock clock) {
    return new MessageSignatureVerifier(
        new KeyRing(keys), new Freshness(clock, Freshness.STANDARD_AGE), SizeLimits.STANDARD);
  }

  /**
   * The same, believing what was signed at most so long ago. Longer: an answer can be played again
   * for longer, to the same dispatch of the same execution alone. Shorter: slow answers and clocks
   * that differ cost evidence. Default: 5 min.
   */
  public MessageSignatureVerifier withMaxAge(Duration maxAge) {
    return new MessageSignatureVerifier(keys, new Freshness(freshness.clock(), maxAge), limits);
  }

  /** The same, reading bodies up to so many bytes. Default: 4 MiB. */
  public MessageSignatureVerifier withMaxBody(int bytes) {
    return new MessageSignatureVerifier(keys, freshness, new SizeLimits(bytes));
  }

  private static Set<String> and(String component) {
    return Stream.concat(ALWAYS.stream(), Stream.of(component))
        .collect(Collectors.toUnmodifiableSet());
  }

  @Override
  public Attestation verify(SignedMessage message) {
    try {
      limits.check(message, READ);
      return strongest(message, MessageSignature.of(message));
    } catch (RefusedException e) {
      return new Attestation.Refused(e.reason());
    } catch (IllegalArgumentException e) {
      return new Attestation.Refused(Refusal.MALFORMED);
    }
  }

  private Attestation strongest(SignedMessage message, List<MessageSignature> signatures) {
    List<Refusal> refusals = new ArrayList<>();
    for (MessageSignature signature : signatures) {
      switch (judge(message, signature)) {
        case Attestation.Attested attested -> {
          return attested;
        }
        case Attestation.Refused(Refusal reason) -> refusals.add(reason);
      }
    }
    return new Attestation.Refused(
        refusals.stream().max(Comparator.naturalOrder()).orElse(Refusal.UNSIGNED));
  }

  private Attestation judge(SignedMessage message, MessageSignature signature) {
    try {
      return attested(message, signature, signer(message, signature));
    } catch (RefusedException e) {
      return new Attestation.Refused(e.reason());
    } catch (IllegalArgumentException e) {
      return new Attestation.Refused(Refusal.MALFORMED);
    }
  }

  private VerificationKey signer(SignedMessage message, MessageSignature signature) {
    VerificationKey key =
        keys.find(signature.key()).orElseThrow(() -> new RefusedException(Refusal.UNKNOWN_KEY));
    refuse(!signature.algorithm().map(key::isOfAlgorithm).orElse(true), Refusal.WRONG_ALGORITHM);
    refuse(key.isRetiredAt(freshness.now()), Refusal.RETIRED_KEY);
    refuse(!signature.covers(required(message)), Refusal.NOT_COVERED);
    refuse(
        !key.verifies(SignatureBase.of(signature.covered(), message), signature.bytes()),
        Refusal.SIGNATURE_INVALID);
    freshness.check(signature.created(), signature.expires());
    return key;
  }

  private static Set<String> required(SignedMessage message) {
    return message.status().isPresent() ? IN_ANSWERS : IN_REQUESTS;
  }

  /** From here on every field that is read was signed. */
  private static Attestation attested(
      SignedMessage message, MessageSignature signature, VerificationKey key) {
    SignedDigest.check(message);
    EffectTuple effect = EffectTuple.of(message::field);
    refuse(!key.speaksFor(effect), Refusal.OTHER_SCOPE);
    int status = message.status().orElseGet(() -> StatusField.read(message));
    return new Attestation.Attested(key.id(), effect, status, signature.created());
  }

  private static void refuse(boolean broken, Refusal reason) {
    if (broken) {
      throw new RefusedException(reason);
    }
  }
}
