package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.LedgerPosition;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.ClaimAnswer.Gate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Turns what the claim statement answered into the answer of {@link
 * dev.holdfast.ledger.Ledger#claim}. Refusals are explained in one order: fingerprint, generation,
 * resource, terminal, live lease, pending evidence, parked, open attempts, gates. Safe for use by
 * many threads.
 */
final class Claims {
  private final LedgerConnection connection;
  private final LedgerSql sql;
  private final LedgerOptions options;
  private final String systemId;
  private final SettlementTransaction slowPath;
  private final Abandoning abandoning;
  private final ConfirmStatement confirm;
  private final DemoteStatement demote;
  private final Map<Integer, ClaimStatement> byGates = new ConcurrentHashMap<>();
  private final LongAdder staleSnapshots = new LongAdder();

  Claims(
      LedgerConnection connection,
      LedgerSql sql,
      LedgerOptions options,
      String systemId,
      SettlementTransaction slowPath,
      Abandoning abandoning) {
    this.connection = connection;
    this.sql = sql;
    this.options = options;
    this.systemId = systemId;
    this.slowPath = slowPath;
    this.abandoning = abandoning;
    this.confirm = new ConfirmStatement(sql, options.commitLevel());
    this.demote = new DemoteStatement(sql, options.commitLevel());
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
    ClaimAnswer answer = ask(request);
    if (answer.grant() != null) {
      return Optional.of(granted(request, Mint.lease(request, answer.grant(), sent), answer));
    }
    SeenOperation seen = answer.seen();
    return seen == null ? closedGate(request, answer) : explain(request, seen, answer);
  }

  private ClaimAnswer ask(ClaimRequest request) {
    Duration patience = options.patience(request.leaseFor());
    ClaimStatement statement = statement(request.gates().size());
    return connection.autocommit(
        patience,
        borrowed -> statement.execute(borrowed, request, StatementSettings.bindings(patience)));
  }

  private ClaimStatement statement(int gates) {
    return byGates.computeIfAbsent(
        gates,
        count ->
            new ClaimStatement(
                sql, options.commitLevel(), ClaimStatement.LeaseOf.OPERATION, count));
  }

  /** A gate may have closed between the look at it and the lock: then nothing is dispatched. */
  private Claim granted(ClaimRequest request, UndispatchedLease lease, ClaimAnswer answer) {
    Optional<Claim> closed = closedGate(request, answer);
    if (closed.isPresent()) {
      abandoning.abandon(lease);
      return closed.get();
    }
    return new Claim.Granted(lease);
  }

  private static Optional<Claim> closedGate(ClaimRequest request, ClaimAnswer answer) {
    for (int i = 0; i < answer.gates().size(); i++) {
      Gate gate = answer.gates().get(i);
      if (gate.closed() != null) {
        return Optional.of(new Claim.GateClosed(request.gates().get(i).operation(), gate.closed()));
      }
    }
    return Optional.empty();
  }

  private Optional<Claim> explain(ClaimRequest request, SeenOperation seen, ClaimAnswer answer) {
    if (!seen.sameFingerprint()) {
      return Optional.of(new Claim.Rejected(Claim.Difference.FINGERPRINT));
    }
    if (!seen.sameGeneration()) {
      return Optional.of(new Claim.Rejected(Claim.Difference.GENERATION));
    }
    if (!seen.sameResource()) {
      return Optional.of(new Claim.Rejected(Claim.Difference.RESOURCE));
    }
    return switch (seen.state()) {
      case COMPLETED -> replay(request, seen);
      case FAILED -> Optional.ofNullable(seen.failure()).map(Claim.AlreadyFailed::new);
      case CONFLICT -> Optional.of(new Claim.Conflicted());
      case IN_PROGRESS, UNKNOWN -> explainOpen(request, seen, answer);
    };
  }

  private Optional<Claim> explainOpen(
      ClaimRequest request, SeenOperation seen, ClaimAnswer answer) {
    if (seen.isLive()) {
      return Optional.of(new Claim.Busy(seen.leaseLeft()));
    }
    if (seen.pendingEvidence() > 0) {
      Claim picked = slowPath.pickUp(request);
      return picked instanceof Claim.Contended ? Optional.empty() : Optional.of(picked);
    }
    if (seen.parkedReason() != null) {
      return Optional.of(new Claim.Parked(seen.parkedReason()));
    }
    if (seen.openAttempts() > 0 && keyIsForgotten(request.rule(), seen)) {
      demote(request);
      return Optional.of(new Claim.KeyHorizonPassed());
    }
    return closedGate(request, answer);
  }

  private static boolean keyIsForgotten(OpenAttemptRule rule, SeenOperation seen) {
    return switch (rule) {
      case OpenAttemptRule.RolledBack none -> false;
      case OpenAttemptRule.SameKeyAgain again -> !seen.keyLeft().isPositive();
    };
  }

  private void demote(ClaimRequest request) {
    Duration patience = options.patience(request.leaseFor());
    connection.autocommit(
        patience,
        borrowed ->
            demote.execute(borrowed, request.reservation(), StatementSettings.bindings(patience)));
  }

  private Optional<Claim> replay(ClaimRequest request, SeenOperation seen) {
    SeenOperation.Settled settled = seen.settled();
    if (settled == null) {
      return Optional.empty();
    }
    Completion completion =
        new Completion(
            request.reservation().scope(),
            request.reservation().operation(),
            request.reservation().fingerprint(),
            request.reservation().generation(),
            seen.epoch(),
            settled.effect(),
            settled.receipt(),
            new LedgerPosition(systemId, settled.timeline()));
    if (!settled.confirmed()) {
      confirm(completion);
    }
    return Optional.of(new Claim.Replay(completion, settled.result()));
  }

  private void confirm(Completion completion) {
    Duration patience = options.networkTimeout();
    connection.autocommit(
        patience,
        borrowed -> confirm.execute(borrowed, completion, StatementSettings.bindings(patience)));
  }
}
