package dev.holdfast.ledger;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The last look before a lease is given up (seed: {@code PreUnlockIdempotencyGate}): no release
 * without a durable receipt of the same holder that binds request and response. Pure and immutable.
 *
 * <p>It takes what was read as it was read, missing parts and impossible tokens included: refusing
 * those is its task. The checks come in the seed's order, and the first that fails is named. A
 * refused lease is left to run out; its receipt stands.
 */
public final class PreUnlockGate {
  private final LeaseMargin margin;

  /** A gate that demands this much of the lease to be left; exactly as much is enough. */
  public PreUnlockGate(LeaseMargin margin) {
    this.margin = margin;
  }

  /**
   * The lease as it stands.
   *
   * @param holderToken the highest token given for the resource
   * @param held whether it was not given up before
   */
  public record LeaseState(
      ResourceId resource, long holderToken, Instant expiresAt, boolean held) {}

  /**
   * The receipt as it was read.
   *
   * @param requestSha256 digest of the request, in lower-case hexadecimal; other text counts as
   *     none
   * @param responseSha256 digest of the verified response, likewise
   * @param committedAt by the database's clock
   * @param durable whether its commit was confirmed at the configured level
   */
  public record ReceiptState(
      Scope scope,
      ResourceId resource,
      long token,
      @Nullable String idempotencyKey,
      @Nullable String requestSha256,
      @Nullable String responseSha256,
      Instant committedAt,
      boolean durable) {

    /** Without the key, which may be personal. */
    @Override
    public String toString() {
      return "ReceiptState[" + scope + " " + resource + " token " + token + "]";
    }
  }

  /** Why a lease may not be given up; one value for each refusal of the seed. */
  public enum Refusal {
    NOT_HELD,
    OTHER_RESOURCE,
    TOKEN_DIFFERS,
    TOKEN_NOT_POSITIVE,
    NOT_DURABLE,
    /** The database's clock went back between commit and release. */
    COMMIT_IN_THE_FUTURE,
    MARGIN_TOO_THIN,
    KEY_MISSING,
    REQUEST_DIGEST_MISSING,
    RESPONSE_DIGEST_MISSING
  }

  /** What the gate answers. */
  public sealed interface Decision {}

  /** The lease may be given up; the digest is kept with the operation. */
  public record Authorised(Sha256 releaseDigest) implements Decision {}

  /** It may not. */
  public record Refused(Refusal refusal) implements Decision {}

  /**
   * Judges one release.
   *
   * @param now by the clock that judged the lease and dated the receipt
   */
  public Decision authorise(LeaseState lease, ReceiptState receipt, Instant now) {
    Refusal refusal = refusalOfHolder(lease, receipt);
    if (refusal == null) {
      refusal = refusalOfTime(lease, receipt, now);
    }
    return refusal == null ? bind(receipt) : new Refused(refusal);
  }

  private static @Nullable Refusal refusalOfHolder(LeaseState lease, ReceiptState receipt) {
    if (!lease.held()) {
      return Refusal.NOT_HELD;
    }
    if (!receipt.resource().equals(lease.resource())) {
      return Refusal.OTHER_RESOURCE;
    }
    if (receipt.token() != lease.holderToken()) {
      return Refusal.TOKEN_DIFFERS;
    }
    return receipt.token() > 0 ? null : Refusal.TOKEN_NOT_POSITIVE;
  }

  private @Nullable Refusal refusalOfTime(LeaseState lease, ReceiptState receipt, Instant now) {
    if (!receipt.durable()) {
      return Refusal.NOT_DURABLE;
    }
    if (receipt.committedAt().isAfter(now)) {
      return Refusal.COMMIT_IN_THE_FUTURE;
    }
    Duration rest = Duration.between(now, lease.expiresAt());
    return margin.isKeptBy(rest) ? null : Refusal.MARGIN_TOO_THIN;
  }

  private static Decision bind(ReceiptState receipt) {
    String key = receipt.idempotencyKey();
    if (key == null || isBlank(key)) {
      return new Refused(Refusal.KEY_MISSING);
    }
    Sha256 request = digest(receipt.requestSha256());
    if (request == null) {
      return new Refused(Refusal.REQUEST_DIGEST_MISSING);
    }
    Sha256 response = digest(receipt.responseSha256());
    if (response == null) {
      return new Refused(Refusal.RESPONSE_DIGEST_MISSING);
    }
    FencingToken token = new FencingToken(receipt.token());
    return new Authorised(
        ReleaseDigest.of(receipt.scope(), receipt.resource(), token, key, request, response));
  }

  /** As the seed's strip: spaces that do not break are spaces too. */
  private static boolean isBlank(String text) {
    return text.codePoints()
        .allMatch(point -> Character.isWhitespace(point) || Character.isSpaceChar(point));
  }

  private static @Nullable Sha256 digest(@Nullable String hex) {
    return hex != null && Sha256.isHex(hex) ? new Sha256(hex) : null;
  }
}
