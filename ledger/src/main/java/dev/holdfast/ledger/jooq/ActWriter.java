package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jspecify.annotations.Nullable;

/**
 * Carries a person's order out: under a claim of the act's own, which dispatches nothing and is
 * closed in the same transaction, so that whoever held the operation before is fenced off and keeps
 * the token it had.
 */
final class ActWriter {
  private final PostgresClock clock;
  private final String systemId;

  ActWriter(PostgresClock clock, String systemId) {
    this.clock = clock;
    this.systemId = systemId;
  }

  /** The row afterwards; empty where the compare-and-set missed, or the act's id was taken. */
  Optional<OperationRow> write(
      DSLContext transaction,
      ActFacts facts,
      ActTerms terms,
      Order order,
      ActJudge.Allowed ruling) {
    Taking taking = Taking.by(terms.actor(), facts.claimId(), facts.operation());
    Changes changes =
        new Changes(facts.row()).recount(facts.open().size()).claim(taking).releaseLease();
    change(changes, facts, ruling);
    if (!ActRecord.insert(transaction, facts.row(), taking, terms, order, ruling)) {
      return Optional.empty();
    }
    Optional<OperationRow> after = OperationUpdate.apply(transaction, changes);
    after.ifPresent(row -> record(transaction, facts, taking, ruling, row));
    return after;
  }

  private void change(Changes changes, ActFacts facts, ActJudge.Allowed ruling) {
    switch (ruling) {
      case ActJudge.Happened(SuccessEvidence told, SuccessEvidence settled) -> {
        if (settled == null) {
          changes.conflict();
        } else {
          changes.forgetOutcome().complete(settled, clock.timeline());
        }
        if (facts.isOpen(named(told))) {
          changes.closeAttempt();
        }
      }
      case ActJudge.DidNotHappen not -> changes.becomeUnknown().closeAttempts();
      case ActJudge.ReceiptStands stands -> changes.stand();
      case ActJudge.Failed failed -> changes.forgetOutcome().fail(failed.failure()).closeAttempts();
      case ActJudge.Reopened reopened -> changes.reopen();
      case ActJudge.Rebound(Rebind rebind, var after) ->
          (switch (rebind.mode()) {
                case ADOPT -> changes.adopt(clock.timeline());
                case RE_EXECUTE -> changes.reopen();
                case CARRY -> changes.becomeUnknown().unpark();
              })
              .rebind(rebind.to());
    }
  }

  private void record(
      DSLContext transaction,
      ActFacts facts,
      Taking taking,
      ActJudge.Allowed ruling,
      OperationRow after) {
    switch (ruling) {
      case ActJudge.Happened happened -> happened(transaction, facts, taking, happened, after);
      case ActJudge.DidNotHappen not -> withdrawn(transaction, facts, taking, after);
      case ActJudge.ReceiptStands stands -> notDispatched(transaction, taking, after);
      case ActJudge.Failed failed -> withdrawn(transaction, facts, taking, after);
      case ActJudge.Reopened reopened -> notDispatched(transaction, taking, after);
      case ActJudge.Rebound rebound -> rebound(transaction, facts, taking, rebound, after);
    }
  }

  private void happened(
      DSLContext transaction,
      ActFacts facts,
      Taking taking,
      ActJudge.Happened happened,
      OperationRow after) {
    SuccessEvidence told = happened.told();
    SuccessEvidence settled = happened.settled();
    if (settled == null) {
      notDispatched(transaction, taking, after);
    } else {
      ReceiptInsert.insert(transaction, after, settled, Duration.ZERO, systemId);
      ResourceUpdate.pass(transaction, after, taking.worker());
    }
    boolean closes = facts.isOpen(named(told));
    if (closes || !told.equals(settled)) {
      Map<Field<?>, @Nullable Object> values = seen(after, named(told), "succeeded", closes);
      values.put(OBSERVATION.DISPOSITION, disposition(settled == null, closes));
      values.put(OBSERVATION.UPSTREAM_STATUS, told.response().status());
      ObservationInsert.addEvidence(values, told);
      ObservationInsert.insert(transaction, values);
    }
  }

  /** What is adopted has the act's claim closed by its receipt, as any other success. */
  private void rebound(
      DSLContext transaction,
      ActFacts facts,
      Taking taking,
      ActJudge.Rebound rebound,
      OperationRow after) {
    if (rebound.after() == OperationState.COMPLETED) {
      ReceiptInsert.adopt(transaction, facts.row(), after, systemId);
      ResourceUpdate.pass(transaction, after, taking.worker());
    } else {
      notDispatched(transaction, taking, after);
    }
  }

  private static String disposition(boolean conflicts, boolean closes) {
    return conflicts ? "conflicted" : closes ? "closed" : "recorded";
  }

  private static void withdrawn(
      DSLContext transaction, ActFacts facts, Taking taking, OperationRow after) {
    for (ActFacts.Open attempt : facts.open()) {
      Map<Field<?>, @Nullable Object> values = seen(after, attempt.claimId(), "not_happened", true);
      values.put(OBSERVATION.GRADE, "operator");
      ObservationInsert.insert(transaction, values);
    }
    notDispatched(transaction, taking, after);
  }

  /** The act's own claim, which sends nothing. */
  private static void notDispatched(DSLContext transaction, Taking taking, OperationRow after) {
    ObservationInsert.insert(transaction, seen(after, taking.claimId(), "not_dispatched", true));
  }

  private static Map<Field<?>, @Nullable Object> seen(
      OperationRow after, ClaimId claim, String kind, boolean closes) {
    Map<Field<?>, @Nullable Object> values = new LinkedHashMap<>();
    ObservationInsert.addTuple(values, after.tuple());
    values.put(OBSERVATION.OBSERVER, "operator");
    values.put(OBSERVATION.CLAIM_ID, claim.value());
    values.put(OBSERVATION.KIND, kind);
    values.put(OBSERVATION.DISPOSITION, "closed");
    values.put(OBSERVATION.CLOSES_ATTEMPT, closes);
    values.put(OBSERVATION.OBSERVED_AT, after.judgedAt());
    return values;
  }

  /** What a person tells is about an attempt, always. */
  private static ClaimId named(SuccessEvidence told) {
    return Objects.requireNonNull(told.attempt(), "attempt");
  }
}
