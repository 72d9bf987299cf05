package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AbandonOutcome;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Finding;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.ReconcileOutcome;
import dev.holdfast.ledger.ReconcilingLease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ReleasePermit;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.TransactionalEffect;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.UnverifiedDelivery;
import dev.holdfast.ledger.VerifiedResponse;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;

/**
 * The ledger on PostgreSQL 15 to 18. It borrows one connection for each call and keeps none; a pool
 * of one is enough. Safe for use by many threads.
 */
public final class JooqLedger implements Ledger {
  private final Claims claims;
  private final Abandoning abandoning;
  private final ReconcileTransaction reconciling;
  private final Settling settling;
  private final Releasing releasing;
  private final Renewing renewing;
  private final SettlementTransaction slowPath;
  private final TransactionalSettlement transactional;
  private final Reading reading;
  private final Attending attending;
  private final AttestTransaction attesting;
  private final UnverifiedDeliveries observing;
  private final JooqOperatorActs acts;
  private final Sweeping sweeping;
  private final Again again;
  private final FailoverWatch failovers;

  private JooqLedger(DataSource source, LedgerOptions options) {
    LedgerSql sql = new LedgerSql(options.schema());
    LedgerConnection connection = new LedgerConnection(source);
    DurabilityCheck.Whereabouts whereabouts = new DurabilityCheck(connection, sql, options).run();
    String systemId = whereabouts.now().systemId();
    this.failovers = new FailoverWatch(whereabouts, options.listener());
    LedgerTransaction transactions = new LedgerTransaction(source, sql.configuration(), options);
    this.slowPath = new SettlementTransaction(transactions, sql.clock(), systemId);
    this.transactional = new TransactionalSettlement(transactions, sql.clock(), systemId);
    this.abandoning =
        new Abandoning(connection, sql, options, new LateAbandon(transactions, sql.clock()));
    this.settling =
        new Settling(
            connection,
            sql,
            options,
            systemId,
            slowPath,
            new CommitReadback(transactions, sql.clock(), systemId));
    this.reconciling = new ReconcileTransaction(transactions, sql.clock(), settling);
    this.claims =
        new Claims(
            connection,
            sql,
            options,
            new SharedClaim(connection, transactions, sql, options),
            new Refusals(connection, transactions, sql, options, systemId, slowPath),
            abandoning,
            reconciling,
            new ClaimReadback(transactions, sql.clock()));
    this.again = new Again(options);
    this.releasing = new Releasing(connection, sql, options);
    this.renewing = new Renewing(connection, sql, options);
    this.reading = new Reading(connection, sql, options, systemId);
    this.attending = new Attending(reading, transactions, sql.clock(), options, systemId);
    this.attesting = new AttestTransaction(transactions, sql.clock(), reading, systemId);
    this.observing = new UnverifiedDeliveries(transactions, sql.clock());
    this.acts = new JooqOperatorActs(connection, transactions, sql, options, systemId);
    this.sweeping = new Sweeping(transactions, sql.clock(), acts, reading, attending);
  }

  /**
   * Opens a migrated ledger.
   *
   * @throws LedgerRefusedException when the database cannot keep the ledger's promise, or holds no
   *     ledger; the message names the cure
   * @throws LedgerUnavailableException when it cannot be reached
   */
  public static JooqLedger open(DataSource source, LedgerOptions options) {
    return new JooqLedger(source, options);
  }

  /** Creates or upgrades the tables in schema {@code holdfast}. */
  public static void migrate(DataSource source) {
    migrate(source, LedgerOptions.standard().schema());
  }

  /** Creates or upgrades the tables in this schema. Any number of callers may do so at once. */
  public static void migrate(DataSource source, String schema) {
    new Migration(source, LedgerOptions.standard().inSchema(schema)).run();
  }

  /** What a person sees of this ledger and may order; never for a worker's own use. */
  public OperatorActs acts() {
    return acts;
  }

  @Override
  public Sweeper sweeper() {
    return sweeping;
  }

  /** How often a claim was made again because its snapshot was stale. */
  long staleSnapshots() {
    return claims.staleSnapshots();
  }

  @Override
  public Claim claim(ClaimRequest request) {
    return claims.claim(request);
  }

  @Override
  public SettleOutcome settle(Lease lease, VerifiedResponse response, StoredResult result) {
    return failovers.watched(settling.settle(lease, response, result));
  }

  @Override
  public SettleOutcome settleInTransaction(Lease lease, TransactionalEffect effect)
      throws Exception {
    return failovers.watched(transactional.settle(lease, effect));
  }

  @Override
  public EndOutcome end(Lease lease, AttemptEnd end) {
    return again.idempotent(lease.expiry(), () -> slowPath.end(lease, end));
  }

  @Override
  public ReconcileOutcome reconcile(ReconcilingLease lease, Finding finding) {
    // what happened is asked for again where it is settled
    return Mint.alone(
        lease,
        () ->
            finding instanceof Finding.Happened
                ? reconciling.reconcile(lease, finding)
                : again.idempotent(lease.expiry(), () -> reconciling.reconcile(lease, finding)));
  }

  @Override
  public ReleaseOutcome release(ReleasePermit permit) {
    return releasing.release(permit);
  }

  @Override
  public AbandonOutcome abandon(UndispatchedLease lease) {
    if (!Mint.mayGiveBack(lease)) {
      throw new IllegalStateException("this lease was dispatched or given back already");
    }
    AbandonOutcome outcome = abandoning.abandon(lease);
    Mint.givenBack(lease);
    return outcome;
  }

  @Override
  public Set<ClaimId> renew(Collection<? extends HeldLease> leases, Duration leaseFor) {
    return renewing.renew(leases, leaseFor);
  }

  @Override
  public Optional<OperationView> attend(AttendRequest request) {
    return attending.attend(request);
  }

  @Override
  public AttestOutcome attest(AttestedSuccess success) {
    return attesting.attest(success);
  }

  @Override
  public boolean observe(UnverifiedDelivery delivery) {
    return observing.observe(delivery);
  }

  @Override
  public Generation currentBinding(Scope scope, BindingName binding) {
    return reading.currentBinding(scope, binding);
  }

  @Override
  public Optional<OperationView> read(Scope scope, OperationId operation) {
    return reading.read(scope, operation);
  }

  @Override
  public boolean hasReceipt(Completion completion) {
    return reading.hasReceipt(completion);
  }

  @Override
  public Optional<AttemptOrigin> originOf(Scope scope, OperationId operation, ClaimId earlier) {
    return reading.originOf(scope, operation, earlier);
  }
}
