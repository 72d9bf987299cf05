package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns what a claim's statements answered into the answer of {@link
 * dev.holdfast.ledger.Ledger#claim}. Safe for use by many threads.
 */
final class Claims {
  private static final Logger LOG = LoggerFactory.getLogger(Claims.class);

  private final LedgerConnection connection;
  private final LedgerSql sql;
  private final LedgerOptions options;
  private final SharedClaim sharedClaim;
  private final Refusals refusals;
  private final Abandoning abandoning;
  private final ReconcileTransaction reconciling;
  private final Map<Integer, ClaimStatement> byGates = new ConcurrentHashMap<>();
  private final LongAdder staleSnapshots = new LongAdder();

  Claims(
      LedgerConnection connection,
      LedgerSql sql,
      LedgerOptions options,
      SharedClaim sharedClaim,
      Refusals refusals,
      Abandoning abandoning,
      ReconcileTransaction reconciling) {
    this.connection = connection;
    this.sql = sql;
    this.options = options;
    this.sharedClaim = sharedClaim;
    this.refusals = refusals;
    this.abandoning = abandoning;
    this.reconciling = reconciling;
  }

  /** How often a snapshot was older than the row that refused, and the claim was made again. */
  long staleSnapshots() {
    return staleSnapshots.sum();
  }

  Claim claim(ClaimRequest request) {
    for (int tried = 0; tried < options.retries(); tried++) {
      Optional<Claim> answer = once(request);
      if (answer.isPresent()) {
        return answer.get();
      }
      staleSnapshots.increment();
    }
    return new Claim.Contended();
  }

  /**
   * Empty where neither a grant nor the row that was seen says anything: the snapshot was stale.
   */
  private Optional<Claim> once(ClaimRequest request) {
    long sent = System.nanoTime();
    Optional<ClaimAnswer> asked =
        request.reservation().resource().isShared()
            ? sharedClaim.ask(request)
            : Optional.of(ask(request));
    if (asked.isEmpty()) {
      return Optional.empty();
    }
    ClaimAnswer answer = asked.get();
    ClaimAnswer.Grant grant = answer.grant();
    return grant == null
        ? refusals.explain(request, answer)
        : Optional.of(granted(request, grant, sent, answer));
  }

  private ClaimAnswer ask(ClaimRequest request) {
    Duration patience = options.patience(request.leaseFor());
    ClaimStatement statement =
        byGates.computeIfAbsent(
            request.gates().size(),
            gates -> new ClaimStatement(sql, options.commitLevel(), LeaseOf.OPERATION, gates));
    return connection.autocommit(
        patience,
        borrowed -> statement.execute(borrowed, request, StatementSettings.bindings(patience)));
  }

  /** A gate may have closed between the look at it and the lock: then nothing is dispatched. */
  private Claim granted(
      ClaimRequest request, ClaimAnswer.Grant grant, long sent, ClaimAnswer answer) {
    Optional<Claim> closed = answer.closedGate(request);
    if (closed.isPresent()) {
      giveBack(Mint.lease(request, grant, sent));
      return closed.get();
    }
    return switch (Continuation.of(request.rule(), grant)) {
      case DISPATCH -> new Claim.Granted(Mint.lease(request, grant, sent));
      case ASK -> reconcile(request, grant, sent);
    };
  }

  /** Read after the commit: no other table is asked in a statement that may wait. */
  private Claim reconcile(ClaimRequest request, ClaimAnswer.Grant grant, long sent) {
    try {
      List<OpenAttempt> open = reconciling.open(request).orElseThrow(Claims::contended);
      return new Claim.Reconcile(Mint.reconcilingLease(request, grant, sent, open), open);
    } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
      giveBack(Mint.lease(request, grant, sent));
      throw new LedgerUnavailableException("the attempts to ask about could not be read", e);
    }
  }

  private static LedgerUnavailableException contended() {
    return new LedgerUnavailableException(
        "rivals kept the attempts to ask about locked", new SQLException("no round was left"));
  }

  /** Where that fails, the attempt stays open and the lease runs out. */
  private void giveBack(UndispatchedLease lease) {
    try {
      abandoning.abandon(lease);
    } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
      LOG.debug("a claim that dispatches nothing could not be given back: {}", e.getMessage());
    }
  }
}
