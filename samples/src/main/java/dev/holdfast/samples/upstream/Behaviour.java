package dev.holdfast.samples.upstream;

/**
 * How an upstream treats one request. Whatever it is, a key never has more than one effect: a
 * behaviour changes when and how the caller hears of it.
 */
public sealed interface Behaviour {

  /** Does the effect, keeps the answer under its key and sends it. */
  record Normal() implements Behaviour {}

  /** Does the effect and keeps the answer, which a repeated key gets at once; sends it late. */
  record AnswerLate(Hold hold) implements Behaviour {}

  /** Holds before the effect: meanwhile a repeated key is answered 409. */
  record StayInProgress(Hold hold) implements Behaviour {}

  /** Does the effect and keeps the answer, then closes the connection without a byte. */
  record LoseAnswer() implements Behaviour {}

  /** Closes the connection before the effect. */
  record CutConnection() implements Behaviour {}

  /** Does the effect and answers with the digest of other bytes. */
  record LieAboutDigest() implements Behaviour {}

  /**
   * Answers with a status of its own and a body that names it.
   *
   * @param code 200 to 599, but none that forbids a body
   * @param effect whether the effect happens all the same; its true answer is then kept under the
   *     key
   */
  record Status(int code, boolean effect) implements Behaviour {

    /** Validates. */
    public Status {
      if (code < 200 || code > 599 || code == 204 || code == 205 || code == 304) {
        throw new IllegalArgumentException("not a status that an upstream can answer: " + code);
      }
    }
  }
}
