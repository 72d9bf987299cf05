package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.activities.UpstreamKey;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.activities.internal.DispatchState.Dispatched;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.HeldLease;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.workflows.internal.FencedMethod;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Opened by the barrier around one attempt: lets its dispatches begin while the lease is good, and
 * remembers what came of them. Safe for use by several threads; closed when the activity returned.
 */
public final class EffectScope {
  /** Where the effect has no protocol of its own. */
  private static final int NO_STATUS = 0;

  private static final ThreadLocal<@Nullable EffectScope> CURRENT = new ThreadLocal<>();

  private final Ledger ledger;
  private final FencedMethod method;
  private final UndispatchedLease undispatched;
  private final KeptLease kept;
  private final LocalDeadline dispatchBy;
  private final ResultCodec codec;
  private final Attesting attesting;
  private final Dispatches dispatches = new Dispatches();
  private final Set<DispatchName> keysRead = new HashSet<>();
  private final List<VerifiedResponse> setAside = new ArrayList<>();
  private @Nullable Lease dispatched;
  private boolean closed;

  EffectScope(
      Ledger ledger,
      FencedMethod method,
      UndispatchedLease undispatched,
      KeptLease kept,
      LocalDeadline dispatchBy,
      ResultCodec codec,
      Attesting attesting) {
    this.ledger = ledger;
    this.method = method;
    this.undispatched = undispatched;
    this.kept = kept;
    this.dispatchBy = dispatchBy;
    this.codec = codec;
    this.attesting = attesting;
  }

  /**
   * The scope of the fenced activity on this thread.
   *
   * @throws ApplicationFailure {@code NotProtectable}: there is none, or another fenced method was
   *     called directly inside of it
   */
  public static EffectScope current() {
    EffectScope scope = CURRENT.get();
    if (scope == null) {
      throw HoldfastFailures.notProtectable(
          "no-activity",
          "no fenced activity runs on this thread: take FencedEffect.current() on the activity's"
              + " own thread, in a method with @Fenced that Temporal calls as an activity, on a"
              + " worker with the Holdfast plugin");
    }
    FencedOnStack.within(scope.method.method()).ifPresent(scope::refuseDirectCall);
    return scope;
  }

  private void refuseDirectCall(Method inner) {
    throw Refusals.unprotectable(
        "nested",
        "the fenced activity "
            + named(method.method())
            + " calls the fenced method "
            + named(inner)
            + " directly: its effect would be a part of the first one, under the wrong key and"
            + " contract; let the workflow call it as an activity");
  }

  private static String named(Method method) {
    return method.getDeclaringClass().getSimpleName() + "." + method.getName();
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
   * Refuses a dispatch to an upstream where the effect is to be the ledger's transaction.
   *
   * @throws ApplicationFailure {@code NotProtectable}
   */
  public void refuseTransactional() {
    if (method.upstream() == UpstreamContract.SAME_TRANSACTION) {
      throw unfit("this way to dispatch needs an upstream of its own");
    }
  }

  /**
   * Refuses a transaction of the ledger where the effect is to be an upstream's.
   *
   * @throws ApplicationFailure {@code NotProtectable}
   */
  public void refuseRemote() {
    if (method.upstream() != UpstreamContract.SAME_TRANSACTION) {
      throw unfit("this way to dispatch needs upstream = " + UpstreamContract.SAME_TRANSACTION);
    }
  }

  private ApplicationFailure unfit(String need) {
    return HoldfastFailures.notProtectable(
        "contract", need + ", but the method declares upstream = " + method.upstream());
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

  /** The dispatch that needs no name. */
  public OneDispatch dispatch() {
    return new OneDispatch(this, DispatchName.ONLY);
  }

  /**
   * The dispatch of this name.
   *
   * @throws ApplicationFailure {@code NotProtectable}: it names nothing
   */
  public OneDispatch dispatch(String name) {
    return new OneDispatch(this, DispatchName.of(name));
  }

  /** Begins the effect with the method itself: whatever the method does is the effect. */
  synchronized void beginWithMethod() {
    refuseTooLate();
    var unused = passPointOfNoReturn();
  }

  /** See {@link OneDispatch#begin}. */
  synchronized Lease begin(DispatchName name) {
    if (closed) {
      throw new IllegalStateException("the activity has returned: its effect cannot begin now");
    }
    dispatches.refuseUsed(name);
    Lease lease = begun(name);
    dispatches.begin(name, lease);
    return lease;
  }

  private Lease begun(DispatchName name) {
    Lease before = dispatched;
    try {
      refuseTooLate();
    } catch (NotDispatchedException e) {
      if (before != null) {
        dispatches.tooLate(name, before, String.valueOf(e.getMessage()));
      }
      throw e;
    }
    return before == null ? passPointOfNoReturn() : before;
  }

  /** After the activity returned: what it did is not known, so it counts as dispatched. */
  synchronized Lease assumeDispatched() {
    Lease before = dispatched;
    return before == null ? passPointOfNoReturn() : before;
  }

  private Lease passPointOfNoReturn() {
    Lease lease = undispatched.dispatch();
    dispatched = lease;
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
    // its answer would not be waited for; nothing is unknown as long as nothing left
    if (Thread.currentThread().isInterrupted()) {
      throw new NotDispatchedException("interrupted");
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

  /** The idempotency key of a dispatch. */
  UpstreamKey key(DispatchName name) {
    return UpstreamKeys.of(undispatched.reservation(), undispatched.epoch(), name.value());
  }

  /** Notes that somebody read a key, and may have sent it. */
  synchronized void keyWasRead(DispatchName name) {
    keysRead.add(name);
  }

  /**
   * What makes this effect itself, of one or several dispatches: the key of the unnamed one where
   * the upstream honours keys, else the upstream's own id, else the attempt.
   */
  EffectId effectId(Optional<String> commitment) {
    return switch (method.upstream()) {
      case HONOURS_KEY -> new EffectId(key(DispatchName.ONLY).value());
      case SAME_TRANSACTION -> attempt();
      case VERIFIABLE, OPAQUE -> commitment.map(EffectId::new).orElseGet(this::attempt);
    };
  }

  private EffectId attempt() {
    return new EffectId(undispatched.claimId().toString());
  }

  /** What a dispatch is to be signed as; none where nobody need sign it. */
  Map<String, String> tupleFields(DispatchName name) {
    return attesting.demanded() ? tuple(name).fields() : Map.of();
  }

  /** What the answer to a dispatch proves. */
  Proof proof(DispatchName name, int status, Supplier<Optional<SignedMessage>> answer) {
    return attesting.of(tuple(name), status, answer);
  }

  private EffectTuple tuple(DispatchName name) {
    return new EffectTuple(
        Tuple.of(undispatched.reservation(), undispatched.epoch()), name.value());
  }

  /** These bytes as a response that this attempt witnessed. */
  VerifiedResponse verified(byte[] body) {
    return Witnessed.response(NO_STATUS, body, effectId(Optional.empty()));
  }

  /** The activity's result in the form that the ledger keeps. */
  public StoredResult encode(@Nullable Object result) {
    return codec.encode(result);
  }

  synchronized DispatchState state() {
    Lease lease = dispatched;
    return lease == null ? new DispatchState.Undispatched() : dispatches.combined(lease);
  }

  synchronized boolean hasDispatched() {
    return dispatched != null;
  }

  /** Whether any key was read. */
  synchronized boolean keyRead() {
    return !keysRead.isEmpty();
  }

  /** Whether the key of every dispatch was read, and one at all. */
  synchronized boolean everyKeyRead() {
    return !keysRead.isEmpty() && keysRead.containsAll(dispatches.names());
  }

  /** Notes a true success that bears another tuple: for the ledger to keep beside the attempt. */
  synchronized void setAside(VerifiedResponse other) {
    setAside.add(other);
  }

  synchronized List<VerifiedResponse> setAside() {
    return List.copyOf(setAside);
  }

  /** Keeps what came of a dispatch. */
  synchronized void keep(DispatchName name, Function<Lease, Dispatched> answer) {
    Lease lease = dispatched;
    if (lease == null) {
      throw new IllegalStateException("nothing was dispatched");
    }
    dispatches.keep(name, answer.apply(lease));
  }
}
