package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Issuer;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Revision;
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
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.Record;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;

/** What the tests of settlement stand on: claims, time that passes, and the slow path itself. */
final class SettlementBed extends Issuer implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final String SYSTEM = "7";

  private static final AtomicInteger KEYS = new AtomicInteger();

  final EmbeddedLedger ledger;
  final SettlementTransaction slow;
  private final LedgerClock clock;
  private final Connection connection;
  private Duration passed = Duration.ZERO;

  SettlementBed(EmbeddedLedger ledger) {
    this(ledger, ledger.dataSource());
  }

  SettlementBed(EmbeddedLedger ledger, DataSource source) {
    this.ledger = ledger;
    this.clock = LedgerClock.of(ledger);
    this.connection = ledger.superuser();
    this.slow =
        new SettlementTransaction(
            transactions(source), new PostgresClock(EmbeddedLedger.SCHEMA), SYSTEM);
  }

  static LedgerTransaction transactions(DataSource source) {
    Settings settings =
        new Settings()
            .withRenderMapping(
                new RenderMapping()
                    .withSchemata(
                        new MappedSchema().withInput("").withOutput(EmbeddedLedger.SCHEMA)));
    return new LedgerTransaction(
        source, new DefaultConfiguration().set(SQLDialect.POSTGRES).set(settings));
  }

  /** An operation that no other test has. */
  static Reservation fresh() {
    return Rows.reservation("doc-" + KEYS.incrementAndGet());
  }

  static ClaimRequest request(Reservation reservation) {
    return request(reservation, SettlementPolicy.STANDARD);
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

  /** A dispatched lease, granted whatever stands there, as the claim statement grants it. */
  Lease claim(ClaimRequest request) {
    long asked = System.nanoTime();
    Reservation reservation = request.reservation();
    Record granted =
        Objects.requireNonNull(
            DSL.using(connection, SQLDialect.POSTGRES)
                .fetchOne(
                    """
                    insert into operation as o (scope, operation_id, fingerprint_scheme,
                      fingerprint_sha256, generation, resource_id, epoch, state, revision,
                      open_attempts, pending_evidence, fencing_token, claim_id, worker, expires_at,
                      released, namespace, attempt_number, claimed_at, first_claimed_at,
                      dispatch_deadline_at, horizon_at)
                    select ?, ?, ?, ?, ?, ?, 0, 'in_progress', 1, 1, 0, ms, ?, ?, now + lease, false,
                      ?, 1, now, now, now + lease, now + lease + lease
                    from (select ledger_clock() as now, ? * interval '1 ms' as lease,
                      (extract(epoch from ledger_clock()) * 1000)::bigint as ms) t
                    on conflict (scope, operation_id) do update set state = 'in_progress',
                      revision = o.revision + 1, open_attempts = o.open_attempts + 1,
                      fencing_token = greatest(o.fencing_token + 1, excluded.fencing_token),
                      claim_id = excluded.claim_id, expires_at = excluded.expires_at,
                      released = false, parked_reason = null, claimed_at = excluded.claimed_at,
                      dispatch_deadline_at = excluded.dispatch_deadline_at,
                      horizon_at = excluded.horizon_at
                    returning epoch, revision, fencing_token\
                    """,
                    reservation.scope().value(),
                    reservation.operation().text(),
                    reservation.fingerprint().scheme(),
                    reservation.fingerprint().digest().bytes(),
                    reservation.generation().value(),
                    reservation.resource().value(),
                    request.claimId().value(),
                    request.worker().value(),
                    request.origin().namespace(),
                    request.leaseFor().toMillis()));
    return lease(
            request,
            new Epoch(granted.get(OPERATION.EPOCH)),
            new Revision(granted.get(OPERATION.REVISION)),
            new FencingToken(granted.get(OPERATION.FENCING_TOKEN)),
            LocalDeadline.after(asked, request.leaseFor()),
            null)
        .dispatch();
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
  public void close() throws SQLException {
    clock.close();
    connection.close();
  }
}
