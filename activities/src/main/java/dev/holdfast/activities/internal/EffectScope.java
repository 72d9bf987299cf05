package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceRule;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamKey;
import dev.holdfast.activities.UpstreamUnverifiedException;
import dev.holdfast.activities.internal.DispatchState.Dispatched;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.workflows.internal.FencedMethod;
import io.temporal.failure.ApplicationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opened by the barrier around one attempt: lets its one dispatch begin while the lease is good,
 * and remembers what came of it. Safe for use by several threads; closed when the activity
 * returned.
 */
public final class EffectScope {
  /** Where the effect has no protocol of its own. */
  private static final int NO_STATUS = 0;

  /** The name of the dispatch that needs none. */
  private static final String ONLY_DISPATCH = "";

  private static final ThreadLocal<@Nullable EffectScope> CURRENT = new ThreadLocal<>();

  private final Ledger ledger;
  private final FencedMethod method;
  private final UndispatchedLease undispatched;
  private final KeptLease kept;
  private final LocalDeadline dispatchBy;
  private final ResultCodec codec;
  private DispatchState state = new DispatchState.Undispatched();
  private boolean keyRead;
  private boolean closed;

  EffectScope(
      Ledger ledger,
      FencedMethod method,
      UndispatchedLease undispatched,
      KeptLease kept,
      LocalDeadline dispatchBy,
      ResultCodec codec) {
    this.ledger = ledger;
    this.method = method;
    this.undispatched = undispatched;
    this.kept = kept;
    this.dispatchBy = dispatchBy;
    this.codec = codec;
  }

  /**
   * The scope of the fenced activity on this thread.
   *
   * @throws IllegalStateException there is none
   */
  public static EffectScope current() {
    EffectScope scope = CURRENT.get();
    if (scope == null) {
      throw new IllegalStateException(
          "no fenced activity runs on this thread: take FencedEffect.current() on the activity's"
              + " own thread, in a method with @Fenced, on a worker with the Holdfast plugin");
    }
    return scope;
  }

  /** The scope around this thread, where there is one. */
  static Optional<EffectScope> here() {
    return Optional.ofNullable(CURRENT.get());
  }

  /** Whether the barrier is around this thread already. */
  static boolean isOpenHere() {
    return here().isPresent();
  }

  /** Runs the activity with this scope as the current one of the thread, then closes it. */
  <T> T around(Supplier<T> activity) {
    CURRENT.set(this);
    try {
      return activity.get();
    } finally {
      CURRENT.remove();
      close();
    }
  }

  private synchronized void close() {
    closed = true;
  }

  /** What the method declares. */
  public FencedMethod method() {
    return method;
  }

  /**
   * Refuses a way to dispatch that does not fit what the method declares.
   *
   * @throws ApplicationFailure {@code NotProtectable}
   */
  public void refuseUnless(UpstreamContract contract) {
    if (method.upstream() != contract) {
      throw HoldfastFailures.notProtectable(
          "contract",
          "this way to dispatch needs upstream = "
              + contract
              + ", but the method declares "
              + method.upstream());
    }
  }

  /** The ledger, for an effect that is a transaction of its own database. */
  public Ledger ledger() {
    return ledger;
  }

  /** The lease as its keeper sees it. */
  public KeptLease lease() {
    return kept;
  }

  /** Whose lease it is: tuple, epoch, fencing token. */
  public HeldLease holder() {
    return undispatched;
  }

  /**
   * Passes the point of no return, once.
   *
   * @throws NotDispatchedException it is too late for a dispatch; nothing was sent
   * @throws IllegalStateException the attempt has dispatched, or the activity has returned
   */
  public synchronized Lease dispatch() {
    if (closed) {
      throw new IllegalStateException("the activity has returned: its effect cannot begin now");
    }
    if (method.evidence() == EvidenceRule.RESULT
        && state instanceof DispatchState.Unanswered(Lease lease)) {
      // the whole method is the effect: it began with the method
      return lease;
    }
    if (!(state instanceof DispatchState.Undispatched)) {
      throw new IllegalStateException("an attempt dispatches once; this is its second dispatch");
    }
    refuseTooLate();
    return passPointOfNoReturn();
  }

  /** After the activity returned: what it did is not known, so it counts as dispatched. */
  synchronized Lease assumeDispatched() {
    return state instanceof Dispatched dispatched ? dispatched.lease() : passPointOfNoReturn();
  }

  private Lease passPointOfNoReturn() {
    Lease lease = undispatched.dispatch();
    state = new DispatchState.Unanswered(lease);
    Transitions.dispatched(lease);
    return lease;
  }

  private void refuseTooLate() {
    if (!kept.isGoodFor(Duration.ZERO)) {
      throw new NotDispatchedException("lease-over");
    }
    if (dispatchBy.isPast()) {
      throw new NotDispatchedException("dispatch-deadline");
    }
    LocalDeadline lastDispatch = undispatched.lastDispatch();
    if (lastDispatch != null && lastDispatch.isPast()) {
      throw new NotDispatchedException("key-horizon");
    }
  }

  /**
   * How long a request that starts now may be under way: as long as the method declares and the
   * activity has. A resend must also have landed while the upstream still knows the key.
   */
  Duration requestMayLast() {
    Duration held = kept.mayBeHeldFor();
    Duration longest = shorter(held, method.inFlight().orElse(held));
    LocalDeadline lastDispatch = undispatched.lastDispatch();
    return lastDispatch == null
        ? longest
        : shorter(longest, lastDispatch.rest().plus(Protectable.requestTime(method)));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  /** The idempotency key of the dispatch. */
  public UpstreamKey key() {
    return UpstreamKeys.of(undispatched.reservation(), undispatched.epoch(), ONLY_DISPATCH);
  }

  /** Notes that somebody read the key, and may have sent it. */
  public synchronized void keyWasRead() {
    keyRead = true;
  }

  /** What makes this effect itself: the key where the upstream honours it, else the attempt. */
  public EffectId effectId() {
    return switch (method.upstream()) {
      case HONOURS_KEY -> new EffectId(key().value());
      case SAME_TRANSACTION, VERIFIABLE, OPAQUE -> new EffectId(undispatched.claimId().toString());
    };
  }

  /** These bytes as a response that this attempt witnessed. */
  VerifiedResponse verified(byte[] body) {
    UpstreamResponse response = new UpstreamResponse(NO_STATUS, true, body, List.of(), effectId());
    return switch (response.verify(UpstreamResponse.DigestRule.OPTIONAL)) {
      case Verification.Verified(VerifiedResponse verified) -> verified;
      case Verification.Unverified(String reason) -> throw new IllegalStateException(reason);
    };
  }

  /** Keeps what verification said of the answer. */
  void answered(Verification verification) {
    keep(
        lease ->
            switch (verification) {
              case Verification.Verified(var response) ->
                  new DispatchState.Verified(lease, response);
              case Verification.Unverified(String reason) ->
                  new DispatchState.Unverified(lease, reason);
            });
  }

  /** Keeps that nobody can tell what the dispatch did; answers what to throw. */
  UpstreamUnverifiedException unverified(String reason) {
    answered(new Verification.Unverified(reason));
    return new UpstreamUnverifiedException(reason);
  }

  /** Keeps the upstream's definite no. */
  void rejected(SettledFailure failure) {
    keep(lease -> new DispatchState.Rejected(lease, failure));
  }

  /** Keeps that the upstream did nothing, this time. */
  void refused(int status) {
    keep(lease -> new DispatchState.Refused(lease, status));
  }

  /** Keeps that the dispatch surely did nothing: it never left, or it was rolled back. */
  public void nothingDone() {
    refused(NO_STATUS);
  }

  /** Keeps what settling within the ledger's transaction answered. */
  void settledInTransaction(SettleOutcome outcome, StoredResult result) {
    keep(lease -> new DispatchState.SettledInTransaction(lease, outcome, result));
  }

  /** The activity's result in the form that the ledger keeps. */
  public StoredResult encode(@Nullable Object result) {
    return codec.encode(result);
  }

  synchronized DispatchState state() {
    return state;
  }

  synchronized boolean hasDispatched() {
    return state instanceof Dispatched;
  }

  synchronized boolean keyRead() {
    return keyRead;
  }

  private synchronized void keep(Function<Lease, Dispatched> answer) {
    if (state instanceof DispatchState.Unanswered(Lease lease)) {
      state = answer.apply(lease);
      return;
    }
    if (state instanceof Dispatched) {
      throw new IllegalStateException("the answer of this dispatch was kept already");
    }
    throw new IllegalStateException("nothing was dispatched");
  }
}
