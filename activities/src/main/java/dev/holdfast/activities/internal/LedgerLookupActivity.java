package dev.holdfast.activities.internal;

import dev.holdfast.BindingName;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationRef;
import dev.holdfast.UpstreamContract;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.workflows.internal.LedgerLookup;
import dev.holdfast.workflows.internal.LookedUp;
import dev.holdfast.workflows.internal.LookedUp.ResultKind;
import dev.holdfast.workflows.internal.LookedUp.State;
import dev.holdfast.workflows.internal.LookupQuery;
import dev.holdfast.workflows.internal.LookupQuery.Attendance;
import dev.holdfast.workflows.internal.StoredPayload;
import io.temporal.activity.Activity;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Looks one operation up for the workflow side, and looks after it where that is asked for. */
final class LedgerLookupActivity implements LedgerLookup {
  /** A larger result is fetched by calling the fenced activity again: a marker must stay small. */
  private static final int RESULT_LIMIT = 64 * 1024;

  private final Supplier<Barrier> barrier;

  LedgerLookupActivity(Supplier<Barrier> barrier) {
    this.barrier = barrier;
  }

  @Override
  public LookedUp lookUp(LookupQuery query) {
    try {
      OperationRef required = query.required();
      LookedUp found =
          view(query).map(view -> found(view, query)).orElseGet(() -> row(State.ABSENT));
      return required == null || found.state() == State.COMPLETED || isKept(required)
          ? found
          : row(State.WENT_BACK);
    } catch (LedgerUnavailableException | LedgerAnswerLostException e) {
      throw HoldfastFailures.ledgerUnavailable("look-up", "the ledger could not be asked");
    }
  }

  private Optional<OperationView> view(LookupQuery query) {
    Ledger ledger = barrier.get().border().ledger();
    Attendance attendance = query.attendance();
    return attendance == null
        ? ledger.read(Vocabulary.ledger(query.scope()), Vocabulary.ledger(query.operation()))
        : ledger.attend(request(query, attendance));
  }

  /** Whatever became of the operation since: a receipt that somebody was told of is never lost. */
  private boolean isKept(OperationRef required) {
    return barrier.get().border().ledger().hasReceipt(Vocabulary.ledger(required));
  }

  private AttendRequest request(LookupQuery query, Attendance attendance) {
    BindingName binding = attendance.binding();
    return new AttendRequest(
            Vocabulary.ledger(query.scope()),
            Vocabulary.ledger(query.operation()),
            Vocabulary.ledger(query.fingerprint()),
            Vocabulary.ledger(query.generation()),
            rule(attendance.upstream()),
            Vocabulary.policy(attendance.payloadPolicy(), attendance.terminalPolicy()),
            barrier.get().settings().worker(),
            RequestReader.origin(Activity.getExecutionContext().getInfo()))
        .boundTo(binding == null ? null : Vocabulary.ledger(binding));
  }

  /** Whether a key is forgotten, and whom to ask then, only the activity's own worker knows. */
  private static OpenAttemptRule rule(UpstreamContract upstream) {
    return switch (upstream) {
      case SAME_TRANSACTION -> new OpenAttemptRule.RolledBack();
      case HONOURS_KEY, VERIFIABLE -> new OpenAttemptRule.AskFirst();
      case OPAQUE -> new OpenAttemptRule.ParkWhileOpen();
    };
  }

  private LookedUp found(OperationView view, LookupQuery query) {
    boolean sameTuple =
        view.reservation().fingerprint().equals(Vocabulary.ledger(query.fingerprint()))
            && view.reservation().generation().equals(Vocabulary.ledger(query.generation()));
    if (!sameTuple) {
      return row(State.OTHER_TUPLE);
    }
    return switch (view.state()) {
      case UNKNOWN -> open(view.parkedReason() == null ? State.UNKNOWN : State.PARKED, view);
      case IN_PROGRESS ->
          open(view.leaseRest().isPositive() ? State.IN_PROGRESS : State.UNKNOWN, view);
      case COMPLETED -> completed(view, query.required());
      case FAILED -> failed(view.failure());
      case CONFLICT -> row(State.CONFLICT);
    };
  }

  private static LookedUp row(State state) {
    return LookedUp.open(state, 0, 0);
  }

  private static LookedUp failed(@Nullable SettledFailure failure) {
    if (failure == null) {
      throw new IllegalStateException("a failed operation has a failure");
    }
    return LookedUp.failed(new LookedUp.Failure(failure.code(), failure.status()));
  }

  private static LookedUp open(State state, OperationView view) {
    long retryAfter = state == State.IN_PROGRESS ? view.leaseRest().toMillis() : 0;
    return LookedUp.open(state, view.openAttempts(), retryAfter)
        .withPendingEvidence(view.pendingEvidence())
        .withLastAttempt(identity(view.claimOrigin()), view.revision().value());
  }

  private LookedUp completed(OperationView view, @Nullable OperationRef required) {
    Completion completion = view.completion();
    StoredResult result = view.result();
    if (completion == null || result == null) {
      throw new IllegalStateException("a completed operation has a receipt and a result");
    }
    OperationRef ref = Vocabulary.ref(completion);
    if (required != null && !sameCompletion(required, ref)) {
      return row(State.OTHER_TUPLE);
    }
    return switch (result) {
      case StoredResult.Value(byte[] encoded) when encoded.length <= RESULT_LIMIT ->
          completed(view, ref, ResultKind.VALUE, StoredPayload.ofBytes(encoded));
      case StoredResult.Value tooLarge -> completed(view, ref, ResultKind.TOO_LARGE, null);
      case StoredResult.Null() ->
          completed(view, ref, ResultKind.NULL, StoredPayload.ofBytes(nullPayload().toByteArray()));
      case StoredResult.NoValue() -> completed(view, ref, ResultKind.VOID, null);
      case StoredResult.NotStored notStored -> completed(view, ref, ResultKind.NOT_STORED, null);
    };
  }

  private LookedUp completed(
      OperationView view, OperationRef ref, ResultKind kind, @Nullable StoredPayload result) {
    return new LookedUp(
        State.COMPLETED,
        view.openAttempts(),
        0,
        ref,
        identity(dispatched(view)),
        kind,
        result,
        null,
        null,
        null,
        null);
  }

  /** Whose effect it is: with evidence that a look picked up, not who committed the receipt. */
  private AttemptOrigin dispatched(OperationView view) {
    ClaimId claim = view.receiptClaim();
    return claim == null
        ? view.claimOrigin()
        : barrier
            .get()
            .border()
            .ledger()
            .originOf(view.reservation().scope(), view.reservation().operation(), claim)
            .orElseGet(view::claimOrigin);
  }

  /** Another server or timeline alone is no other completion: a healthy failover keeps receipts. */
  private static boolean sameCompletion(OperationRef required, OperationRef found) {
    return required.epoch().equals(found.epoch())
        && required.effect().equals(found.effect())
        && required.receipt().equals(found.receipt());
  }

  private static LookedUp.@Nullable ActivityIdentity identity(AttemptOrigin origin) {
    String workflow = origin.workflowId();
    String run = origin.runId();
    String activity = origin.activityId();
    return workflow == null || run == null || activity == null
        ? null
        : new LookedUp.ActivityIdentity(workflow, run, activity);
  }

  private static Payload nullPayload() {
    DataConverter converter =
        Activity.getExecutionContext().getWorkflowClient().getOptions().getDataConverter();
    return converter.toPayload(null).orElseThrow();
  }
}
