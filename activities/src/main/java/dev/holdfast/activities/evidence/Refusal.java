package dev.holdfast.activities.evidence;

import java.util.Locale;

/**
 * Why a message is no evidence; in the order in which it is looked at, so that of several
 * signatures the one that came furthest gives the reason.
 */
public enum Refusal {
  /** Bigger than the verifier reads. */
  TOO_BIG,
  /** The body is shorter than its length says. */
  CUT,
  /** No signature, or none with its parameters. */
  UNSIGNED,
  /** It cannot be read. */
  MALFORMED,
  /** Signed by nobody that is known here. */
  UNKNOWN_KEY,
  /** The signature names another algorithm than its key is pinned to. */
  WRONG_ALGORITHM,
  /** Signed by a key that is no longer trusted. */
  RETIRED_KEY,
  /** The signature leaves out what it must cover. */
  NOT_COVERED,
  /** It covers what the message does not hold, or what cannot be rebuilt here. */
  COVERS_UNKNOWN,
  /** The bytes were not signed by this key. */
  SIGNATURE_INVALID,
  /** Signed at a time that has not come. */
  FROM_FUTURE,
  /** Signed too long ago: a replay, or an answer kept from an earlier request. */
  TOO_OLD,
  /** Past the end that its signer set. */
  EXPIRED,
  /** The signed digest is that of other bytes. */
  DIGEST_DIFFERS,
  /** The signed tuple is of another tenant, or of one that the key does not speak for. */
  OTHER_SCOPE,
  /** The signed tuple names another operation. */
  OTHER_OPERATION,
  /** The signed tuple is of another request. */
  OTHER_FINGERPRINT,
  /** The signed tuple is of another binding generation. */
  OTHER_GENERATION,
  /** The signed tuple is of another execution of the operation. */
  OTHER_EPOCH,
  /** The signed tuple is of another dispatch of the same activity. */
  OTHER_DISPATCH,
  /** The signed status is not the one that came. */
  OTHER_STATUS,
  /** Nothing tells which effect it is of an upstream that does not honour keys. */
  NO_COMMITMENT;

  /** The word that the ledger, logs and failures show. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
