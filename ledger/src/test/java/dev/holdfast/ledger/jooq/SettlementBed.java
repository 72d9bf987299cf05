package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Issuer;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.impl.DSL;

/** What the tests of settlement stand on: claims, time that passes, and the slow path itself. */
final class SettlementBed extends Issuer implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final String SYSTEM = "7";

  static final LedgerSql SQL = new LedgerSql(EmbeddedLedger.SCHEMA);

  private static final AtomicInteger KEYS = new AtomicInteger();

  final EmbeddedLedger ledger;
  final JooqLedger jooq;
  final SettlementTransaction slow;
  private final LedgerClock clock;
  private Duration passed = Duration.ZERO;

  SettlementBed(EmbeddedLedger ledger) {
    this(ledger, ledger.pool(4));
  }

  SettlementBed(EmbeddedLedger ledger, DataSource source) {
    this.ledger = ledger;
    this.clock = LedgerClock.of(ledger);
    this.jooq = JooqLedger.open(source, LedgerOptions.standard());
    this.slow = new SettlementTransaction(transactions(source), SQL.clock(), SYSTEM);
  }

  static LedgerTransaction transactions(DataSource source) {
    return new LedgerTransaction(source, SQL.configuration(), LedgerOptions.standard());
  }

  /** An operation that no other test has. */
  static Reservation fresh() {
    return Rows.reservation("doc-" + KEYS.incrementAndGet());
  }

  static ClaimRequest request(Reservation reservation) {
    return request(reservation, SettlementPolicy.STANDARD);
  }

  /** Behind the gate of this completion. */
  static ClaimRequest behind(Reservation share, Completion required) {
    ClaimRequest plain = request(share);
    return new ClaimRequest(
        share,
        plain.claimId(),
        plain.worker(),
        plain.origin(),
        plain.leaseFor(),
        plain.dispatchWithin(),
        plain.inFlight(),
        plain.margin(),
        plain.rule(),
        plain.policy(),
        List.of(required));
  }

  static ClaimRequest request(Reservation reservation, SettlementPolicy policy) {
    return request(reservation, policy, LeaseMargin.STANDARD);
  }

  static ClaimRequest request(
      Reservation reservation, SettlementPolicy policy, LeaseMargin margin) {
    return new ClaimRequest(
        reservation,
        ClaimId.random(),
        new WorkerName("worker-1"),
        new AttemptOrigin("default", "workflow-1", "run-1", "activity-1", 1),
        LEASE,
        LEASE,
        LEASE,
        margin,
        new OpenAttemptRule.RolledBack(),
        policy,
        List.of());
  }

  Lease claim(Reservation reservation) {
    return claim(request(reservation));
  }

  /** A dispatched lease; whoever held one before must have let it run out. */
  Lease claim(ClaimRequest request) {
    Claim claim = jooq.claim(request);
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return ((Claim.Granted) claim).lease().dispatch();
  }

  /** A lease that has run out when this returns. */
  Lease claimBriefly(Reservation reservation) {
    Lease lease = claim(request(reservation));
    DSLContext sql = ledger.sql();
    int rows =
        sql.update(OPERATION)
            .set(OPERATION.EXPIRES_AT, SQL.clock().now())
            .where(OPERATION.OPERATION_ID.eq(reservation.operation().text()))
            .execute();
    assertThat(rows).isEqualTo(1);
    sql.update(RESOURCE)
        .set(RESOURCE.EXPIRES_AT, SQL.clock().now())
        .where(RESOURCE.RESOURCE_ID.eq(reservation.resource().value()))
        .execute();
    return lease;
  }

  /** A lease that names another operation's claim. */
  Lease leaseOf(ClaimRequest request, Lease held) {
    return lease(request, held.epoch(), held.revision(), held.token(), held.expiry(), null)
        .dispatch();
  }

  /** Lets all leases that are live now run out. */
  void letLeasesRunOut() {
    pass(LEASE.plusSeconds(1));
  }

  void pass(Duration time) {
    passed = passed.plus(time);
    clock.shift(passed);
  }

  StoredOperation stored(Reservation reservation) {
    return StoredOperation.of(ledger, reservation);
  }

  /** Open attempts as the rows tell, to be compared with the counter. */
  int openAttempts(Reservation reservation) {
    DSLContext sql = ledger.sql();
    return sql.fetchSingle(
            """
            select count(*)::int from (
              select claim_id from attempt where operation_id = ?1
              union all select claim_id from operation where operation_id = ?1) a
            where not exists (select from observation o where o.operation_id = ?1
                and o.claim_id = a.claim_id and o.closes_attempt)
              and not exists (select from receipt r where r.operation_id = ?1
                and r.claim_id = a.claim_id)\
            """
                .replace("?1", DSL.inline(reservation.operation().text()).toString()))
        .get(0, Integer.class);
  }

  static VerifiedResponse response(String effect) {
    return response(effect, "body of " + effect);
  }

  static VerifiedResponse response(String effect, String body) {
    UpstreamResponse raw =
        new UpstreamResponse(
            200, true, body.getBytes(StandardCharsets.UTF_8), List.of(), new EffectId(effect));
    Verification verified = raw.verify(UpstreamResponse.DigestRule.OPTIONAL);
    assertThat(verified).isInstanceOf(Verification.Verified.class);
    return ((Verification.Verified) verified).response();
  }

  static StoredResult result(String text) {
    return new StoredResult.Value(text.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() {
    clock.close();
  }
}
