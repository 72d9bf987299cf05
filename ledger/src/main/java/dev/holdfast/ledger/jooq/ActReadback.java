package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATOR_ACT;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static dev.holdfast.ledger.jooq.generated.Tables.RESERVATION_HISTORY;

import dev.holdfast.ledger.ActOutcome;
import dev.holdfast.ledger.ActOutcome.Waiter;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.settlement.OperationState;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jspecify.annotations.Nullable;

/**
 * Finds an act that was done before, by its id, and answers for it as it was answered then: from
 * the act's record and the histories, for the operation may have moved since. Under its lock: who
 * only finds has locked a row all the same, so that its own commit waits for the standby and is
 * warned of where none has it. A plain look would vouch for what a failover may take back.
 */
final class ActReadback {
  private final DSLContext transaction;
  private final OperationRow now;
  private final Scope scope;
  private final OperationId operation;
  private final String systemId;

  ActReadback(DSLContext transaction, OperationRow now, String systemId) {
    this.transaction = transaction;
    this.now = now;
    this.scope = now.reservation().scope();
    this.operation = now.reservation().operation();
    this.systemId = systemId;
  }

  /** Empty where no act bears the id. */
  Optional<ActOutcome> find(ActTerms terms, Order order) {
    return transaction
        .selectFrom(OPERATOR_ACT)
        .where(OPERATOR_ACT.ACT_ID.eq(terms.id().value()))
        .fetchOptional()
        .map(act -> isSame(act, terms, order) ? done(act, terms.dryRun()) : another());
  }

  private static boolean isSame(Record act, ActTerms terms, Order order) {
    return Arrays.equals(get(act, OPERATOR_ACT.ORDER_SHA256), OrderDigest.of(terms, order).bytes());
  }

  private ActOutcome another() {
    return new ActOutcome.NotApplicable(
        now.state(), "that act id was given to another order: order this one under a fresh id");
  }

  private ActOutcome done(Record act, boolean dryRun) {
    Reserved reserved = reservedBefore(get(act, OPERATOR_ACT.REVISION));
    List<Record> attempts = attemptsBefore(get(act, OPERATOR_ACT.FENCING_TOKEN), reserved.epoch());
    Long receipt = act.get(OPERATOR_ACT.RECEIPT_NUMBER);
    boolean stands = "receipt_stands".equals(act.get(OPERATOR_ACT.DECISION));
    return new ActOutcome.Done(
        before(act, reserved, attempts.getLast()),
        OperationState.of(get(act, OPERATOR_ACT.STATE_AFTER)),
        waiting(attempts),
        stands || receipt == null ? List.of() : Dependents.of(transaction, scope, receipt),
        dryRun);
  }

  /** What it was reserved under, and its epoch. */
  private record Reserved(Reservation reservation, Epoch epoch) {}

  /** Each change of the reservation keeps what was before it; none since, it is the present one. */
  private Reserved reservedBefore(long revision) {
    return transaction
        .selectFrom(RESERVATION_HISTORY)
        .where(RESERVATION_HISTORY.SCOPE.eq(scope.value()))
        .and(RESERVATION_HISTORY.OPERATION_ID.eq(operation.text()))
        .and(RESERVATION_HISTORY.REVISION.ge(revision))
        .orderBy(RESERVATION_HISTORY.REVISION)
        .limit(1)
        .fetchOptional(this::reserved)
        .orElseGet(() -> new Reserved(now.reservation(), now.epoch()));
  }

  private Reserved reserved(Record change) {
    OperationStory.Change kept = reader().change(change);
    return new Reserved(
        new Reservation(scope, operation, kept.fingerprint(), kept.generation(), kept.resource()),
        kept.epoch());
  }

  /** In the order of their tokens; the last of them was the operation's current one. */
  private List<Record> attemptsBefore(long token, Epoch epoch) {
    return transaction
        .selectFrom(ATTEMPT)
        .where(ATTEMPT.SCOPE.eq(scope.value()))
        .and(ATTEMPT.OPERATION_ID.eq(operation.text()))
        .and(ATTEMPT.EPOCH.eq(epoch.value()))
        .and(ATTEMPT.FENCING_TOKEN.lt(token))
        .orderBy(ATTEMPT.FENCING_TOKEN)
        .fetch();
  }

  private OperationView before(Record act, Reserved reserved, Record attempt) {
    OperationStory.Attempt last = reader().attempt(attempt, closed -> true);
    Optional<OperationStory.Proof> proof = proof(act.get(OPERATOR_ACT.RECEIPT_NUMBER));
    return new OperationView(
        reserved.reservation(),
        reserved.epoch(),
        OperationState.of(get(act, OPERATOR_ACT.STATE_BEFORE)),
        new Revision(get(act, OPERATOR_ACT.REVISION) - 1),
        last.token(),
        get(act, OPERATOR_ACT.OPEN_ATTEMPTS),
        get(act, OPERATOR_ACT.PENDING_EVIDENCE),
        // no act is done upon a live lease
        Duration.ZERO,
        act.get(OPERATOR_ACT.PARKED_REASON),
        proof.map(found -> found.receipt().completion()).orElse(null),
        proof.map(OperationStory.Proof::attempt).orElse(null),
        last.origin(),
        null,
        failure(act));
  }

  private Optional<OperationStory.Proof> proof(@Nullable Long receipt) {
    return receipt == null
        ? Optional.empty()
        : transaction
            .selectFrom(RECEIPT)
            .where(RECEIPT.SCOPE.eq(scope.value()))
            .and(RECEIPT.OPERATION_ID.eq(operation.text()))
            .and(RECEIPT.RECEIPT_NUMBER.eq(receipt))
            .fetchOptional(reader()::proof);
  }

  private static @Nullable SettledFailure failure(Record act) {
    String code = act.get(OPERATOR_ACT.FAILURE_CODE);
    return code == null ? null : new SettledFailure(code, get(act, OPERATOR_ACT.UPSTREAM_STATUS));
  }

  private static List<Waiter> waiting(List<Record> attempts) {
    Set<Waiter> waiting = new LinkedHashSet<>();
    for (Record attempt : attempts) {
      ActRows.waiter(attempt).ifPresent(waiting::add);
    }
    return List.copyOf(waiting);
  }

  private StoryReader reader() {
    return new StoryReader(scope, operation, systemId);
  }

  private static <T> T get(Record row, Field<T> column) {
    return Objects.requireNonNull(row.get(column), column::getName);
  }
}
