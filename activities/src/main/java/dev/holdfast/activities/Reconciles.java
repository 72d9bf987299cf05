package dev.holdfast.activities;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether an effect of unknown outcome happened. The activity implementation itself may
 * be one, or it is given to the plugin ({@link Holdfast.Builder#addReconciler}).
 *
 * <p>It is asked under the operation's lease, on the activity's thread and outside of the user's
 * interceptors, by the attempt that comes after one whose outcome nobody saw. It must have no
 * effect of its own. What it throws means: still unknown, ask again later. Used by several threads.
 *
 * @param <R> the activity's result; {@code Void} for none
 */
public interface Reconciles<R extends @Nullable Object> {
  /**
   * Asks the upstream.
   *
   * @throws Exception the question failed: nobody can tell yet
   */
  Reconciled<R> reconcile(Inquiry inquiry) throws Exception;

  /**
   * The activity types it is for. Needed where an implementation has several that it could be for;
   * by default it is for the one {@code VERIFIABLE} method whose result it gives, or where there is
   * none, for the one {@code HONOURS_KEY} method.
   */
  default Set<String> activityTypes() {
    return Set.of();
  }

  /**
   * Whether the upstream refuses fencing tokens below {@link Inquiry#token()} from the question on.
   * Then its <em>no</em> is final at once. Where it does not, the method must declare {@code
   * inFlight}, and a <em>no</em> counts only for attempts that were past their horizon before they
   * were asked about.
   */
  default boolean upstreamFences() {
    return false;
  }
}
