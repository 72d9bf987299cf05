package dev.holdfast.activities;

import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.ledger.Sha256;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Tells what an upstream's answer proves, for effects that are not sent by {@link
 * FencedEffect#send}. Immutable; each method returns changed evidence. Its functions are called
 * once for each answer, on the thread that dispatched; what they throw leaves the outcome unknown.
 *
 * @param <T> type of the answer
 */
public final class Evidence<T> {
  private final ToIntFunction<? super T> status;
  private final Function<? super T, byte[]> bytes;
  private final Function<? super T, Optional<Sha256>> digest;
  private final Function<? super T, Optional<String>> commitment;
  private final Function<? super T, Optional<SignedMessage>> message;
  private final AnswerRules rules;

  private Evidence(
      ToIntFunction<? super T> status,
      Function<? super T, byte[]> bytes,
      Function<? super T, Optional<Sha256>> digest,
      Function<? super T, Optional<String>> commitment,
      Function<? super T, Optional<SignedMessage>> message,
      AnswerRules rules) {
    this.status = status;
    this.bytes = bytes;
    this.digest = digest;
    this.commitment = commitment;
    this.message = message;
    this.rules = rules;
  }

  /**
   * Evidence of these two parts, read by the {@linkplain AnswerRules#standard() standard rules}.
   *
   * @param status the upstream's own status code, an HTTP status
   * @param bytes the bytes as received, whose SHA-256 the receipt keeps
   */
  public static <T> Evidence<T> of(
      ToIntFunction<? super T> status, Function<? super T, byte[]> bytes) {
    return new Evidence<>(
        status,
        bytes,
        answer -> Optional.empty(),
        answer -> Optional.empty(),
        answer -> Optional.empty(),
        AnswerRules.standard());
  }

  /** Evidence that also compares the bytes with the digest that the upstream sent, if it did. */
  public Evidence<T> withDigest(Function<? super T, Optional<Sha256>> declared) {
    return new Evidence<>(status, bytes, declared, commitment, message, rules);
  }

  /**
   * Evidence that also holds the upstream's own id of the effect, which makes two answers about it
   * one effect. For upstreams that do not honour keys; asked of successes alone. Where a {@link
   * Reconciles} names such ids, the dispatch must too, and the other way round: both or neither. Of
   * several dispatches the id of the one that began last counts: let them begin in the same order
   * at every attempt, or one effect looks like two.
   *
   * @param id visible NFC text, at most 255 characters
   */
  public Evidence<T> withCommitment(Function<? super T, String> id) {
    return new Evidence<>(status, bytes, digest, id.andThen(Optional::of), message, rules);
  }

  /**
   * Evidence whose signature can be verified, for a method that demands {@code evidence =
   * ATTESTED}: without this no answer to it is believed. The request must have borne {@link
   * FencedEffect#tupleFields}.
   *
   * @param received the answer as it came, with the bytes of this evidence as its body
   */
  public Evidence<T> withMessage(Function<? super T, SignedMessage> received) {
    return new Evidence<>(status, bytes, digest, commitment, received.andThen(Optional::of), rules);
  }

  /** Evidence that is read by these rules. */
  public Evidence<T> readBy(AnswerRules changed) {
    return new Evidence<>(status, bytes, digest, commitment, message, changed);
  }

  int statusOf(T answer) {
    return status.applyAsInt(answer);
  }

  byte[] bytesOf(T answer) {
    return bytes.apply(answer);
  }

  Optional<Sha256> digestOf(T answer) {
    return digest.apply(answer);
  }

  Optional<String> commitmentOf(T answer) {
    return commitment.apply(answer);
  }

  Optional<SignedMessage> messageOf(T answer) {
    return message.apply(answer);
  }

  AnswerRules rules() {
    return rules;
  }
}
