package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.ClaimGuard.LeaseOf;
import dev.holdfast.ledger.jooq.ClaimStatement.Shape;
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
  private final ClaimReadback readback;
  private final Again again;
  private final Map<Shape, ClaimStatement> byShape = new ConcurrentHashMap<>();
  private final LongAdder staleSnapshots = new LongAdder();

  Claims(
      LedgerConnection connection,
      LedgerSql sql,
      LedgerOptions options,
      SharedClaim sharedClaim,
      Refusals refusals,
      Abandoning abandoning,
      ReconcileTransaction reconciling,
      ClaimReadback readback) {
    this.connection = connection;
    this.sql = sql;
    this.options = options;
    this.sharedClaim = sharedClaim;
    this.refusals = refusals;
    this.abandoning = abandoning;
    this.reconciling = reconciling;
    this.readback = readback;
    this.again = new Again(options);
  }

  /** How often a snapshot was older than the row that refused, and the claim was made again. */
  long staleSnapshots() {
    return staleSnapshots.sum();
  }

  Claim claim(ClaimRequest request) {
    long sent = System.nanoTime();
    try {
      return asked(request);
    } catch (LedgerAnswerLostException lost) {
      LocalDeadline expiry = LocalDeadline.after(sent, request.leaseFor());
      return again.after(lost, expiry, () -> foundOrAsked(request, sent));
    }
  }

  /**
   * Sent again under its claim id it is granted once at most. Where it is not, the first request
   * may have arrived in between: the lease that makes it busy is its own.
   */
  private Claim foundOrAsked(ClaimRequest request, long sent) {
    return found(request, sent)
        .orElseGet(
            () -> {
              try {
                Claim answer = asked(request);
                return answer instanceof Claim.Held ? answer : found(request, sent).orElse(answer);
              } catch (LedgerUnavailableException overtaken) {
                return found(request, sent).orElseThrow(() -> overtaken);
              }
            });
  }

  /**
   * What the lost request led to: a lease that lasts from the first sending, or an attempt that is
   * closed and whose caller must take a fresh claim id. How its gates stood behind the lock was
   * lost with the answer, so that nothing may be dispatched behind them.
   */
  private Optional<Claim> found(ClaimRequest request, long sent) {
    LocalDeadline expiry = LocalDeadline.after(sent, request.leaseFor());
    return switch (readback.find(request, expiry)) {
      case ClaimReadback.Nothing nothing -> Optional.empty();
      case ClaimReadback.Live(var grant) when request.gates().isEmpty() ->
          Optional.of(continued(request, grant, sent));
      case ClaimReadback.Live(var grant) -> Optional.of(closed(request, grant, sent));
      case ClaimReadback.Over(var grant) -> Optional.of(closed(request, grant, sent));
      case ClaimReadback.Closed closed -> Optional.of(new Claim.Contended());
    };
  }

  private Claim closed(ClaimRequest request, ClaimAnswer.Grant grant, long sent) {
    abandoning.abandon(Mint.lease(request, grant, sent));
    return new Claim.Contended();
  }

  private Claim asked(ClaimRequest request) {
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
        byShape.computeIfAbsent(
            Shape.of(request),
            shape -> new ClaimStatement(sql, options.commitLevel(), LeaseOf.OPERATION, shape));
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
    return continued(request, grant, sent);
  }

  private Claim continued(ClaimRequest request, ClaimAnswer.Grant grant, long sent) {
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
