package dev.holdfast.activities.bed;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import io.temporal.common.converter.DefaultDataConverter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/**
 * Another process that holds an operation's lease, has dispatched, and does nothing more by itself:
 * it neither renews nor picks its own evidence up.
 */
public final class RivalHolder {
  private final Ledger ledger;
  private final Lease lease;

  private RivalHolder(Ledger ledger, Lease lease) {
    this.ledger = ledger;
    this.lease = lease;
  }

  /** Takes over an operation of {@link EffectActivities} whose lease is over or was given back. */
  public static RivalHolder dispatched(EmbeddedLedger database, String key, OpenAttemptRule rule) {
    Ledger ledger = JooqLedger.open(database.dataSource(), LedgerOptions.standard());
    Reservation reservation =
        ledger
            .read(new Scope("default"), new OperationId("Effect", key))
            .orElseThrow()
            .reservation();
    return ledger.claim(claim(reservation, rule)) instanceof Claim.Granted(var lease)
        ? new RivalHolder(ledger, lease.dispatch())
        : fail(key);
  }

  private static RivalHolder fail(String key) {
    throw new AssertionError("there is no lease of " + key);
  }

  private static ClaimRequest claim(Reservation reservation, OpenAttemptRule rule) {
    return new ClaimRequest(
        reservation,
        ClaimId.random(),
        new WorkerName("rival"),
        new AttemptOrigin("default", "rival", "run", "activity", 1),
        WorkerBed.LEASE,
        WorkerBed.LEASE,
        Duration.ofSeconds(1),
        LeaseMargin.STANDARD,
        rule,
        new SettlementPolicy(
            SettlementPolicy.PayloadPolicy.CONFLICT, SettlementPolicy.TerminalPolicy.CONFLICT),
        List.of());
  }

  /** Reports that its upstream answered with a success, and that this is the result. */
  public SettleOutcome settle(String result) {
    UpstreamResponse response =
        new UpstreamResponse(
            200,
            true,
            result.getBytes(StandardCharsets.UTF_8),
            List.of(),
            new EffectId("effect of the rival"));
    return response.verify(UpstreamResponse.DigestRule.OPTIONAL)
            instanceof Verification.Verified(var verified)
        ? ledger.settle(lease, verified, new StoredResult.Value(encoded(result)))
        : unverified();
  }

  private static SettleOutcome unverified() {
    throw new AssertionError("a success without digests verifies");
  }

  /** A result as the workers' converter keeps it. */
  public static byte[] encoded(String result) {
    return DefaultDataConverter.newDefaultInstance().toPayload(result).orElseThrow().toByteArray();
  }
}
