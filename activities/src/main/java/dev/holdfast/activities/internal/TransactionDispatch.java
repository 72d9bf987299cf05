package dev.holdfast.activities.internal;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.LedgerWork;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerAnswerLostException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.TransactionalEffect.Effected;
import io.temporal.failure.ApplicationFailure;
import java.lang.invoke.MethodType;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/**
 * A dispatch that is SQL of the ledger's own database: effect, receipt and result are one commit.
 * The work's value is encoded before that commit, so whatever is wrong with it rolls all back.
 */
public final class TransactionDispatch<T extends @Nullable Object> {
  private static final byte[] NOTHING = {};

  private final EffectScope scope;
  private final OneDispatch dispatch;
  private final LedgerWork<T, ?> work;
  private @Nullable Done<T> done;
  private boolean rolledBack;

  private TransactionDispatch(EffectScope scope, LedgerWork<T, ?> work) {
    this.scope = scope;
    this.dispatch = scope.dispatch();
    this.work = work;
  }

  private record Done<T extends @Nullable Object>(T value, Effected effected) {}

  /** Does the work and commits it, or throws; keeps in the scope what came of it. */
  public static <T extends @Nullable Object> T run(EffectScope scope, LedgerWork<T, ?> work)
      throws Exception {
    return new TransactionDispatch<>(scope, work).run();
  }

  private T run() throws Exception {
    Lease lease = dispatch.begin();
    SettleOutcome outcome = settle(lease);
    Transitions.settled(lease, outcome);
    Done<T> last = done;
    dispatch.settledInTransaction(
        outcome, last == null ? new StoredResult.NoValue() : last.effected().result());
    if (outcome instanceof SettleOutcome.Committed && last != null) {
      return last.value();
    }
    throw new NotDispatchedException("rolled-back");
  }

  private SettleOutcome settle(Lease lease) throws Exception {
    scope.lease().settling();
    try {
      return scope.ledger().settleInTransaction(lease, this::effect);
    } catch (LedgerAnswerLostException e) {
      throw rolledBack ? e : LedgerBorder.unavailableAfterEffect(lease, e);
    } catch (LedgerUnavailableException e) {
      rolledBack = true;
      throw HoldfastFailures.ledgerUnavailable(
          "unavailable", "the ledger's transaction could not be run; nothing was done");
    } finally {
      if (rolledBack) {
        dispatch.nothingDone();
      }
    }
  }

  private Effected effect(Connection connection) throws Exception {
    rolledBack = true; // unless this is left by its end
    T value = work.run(connection);
    Effected effected = effected(value);
    rolledBack = false;
    done = new Done<>(value, effected);
    return effected;
  }

  private Effected effected(@Nullable Object value) {
    refuseForeign(value);
    StoredResult result = scope.encode(value);
    byte[] witnessed =
        switch (result) {
          case StoredResult.Value(byte[] encoded) -> encoded;
          case StoredResult.Null() -> NOTHING;
          case StoredResult.NoValue() -> NOTHING;
          case StoredResult.NotStored(var digest) -> throw notTransportable();
        };
    return new Effected(scope.verified(witnessed), result);
  }

  private void refuseForeign(@Nullable Object value) {
    Class<?> declared = scope.method().method().getReturnType();
    boolean fits =
        value == null
            ? mayBeNull(declared)
            : MethodType.methodType(declared).wrap().returnType().isInstance(value);
    if (!fits) {
      throw HoldfastFailures.notProtectable(
          "transaction-result",
          "what inLedgerTransaction returns is the activity's result, but "
              + scope.method().method().getName()
              + " returns "
              + declared.getSimpleName()
              + "; everything was rolled back");
    }
  }

  private static boolean mayBeNull(Class<?> declared) {
    return declared == void.class || !declared.isPrimitive();
  }

  private ApplicationFailure notTransportable() {
    return HoldfastFailures.nonRetryable(
        HoldfastFailures.RESULT_NOT_TRANSPORTABLE,
        "rolled-back",
        Vocabulary.keyDigest(scope.holder().reservation()),
        "the result is too big for Temporal or cannot be serialized, so everything was rolled back:"
            + " return a reference to it instead");
  }
}
