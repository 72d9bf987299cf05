package dev.holdfast.activities;

import dev.holdfast.OperationId;
import dev.holdfast.Scope;
import dev.holdfast.ledger.FencingToken;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a {@link Reconciles} is asked about. Valid while it is asked. */
public interface Inquiry {
  /** The tenant whose operation it is. */
  Scope scope();

  /** The operation whose effect is in question. */
  OperationId operation();

  /** The token of the lease that asks; every earlier attempt had a lower one. */
  FencingToken token();

  /** The idempotency key that the dispatch without a name bore. */
  UpstreamKey upstreamKey();

  /**
   * The key that the dispatch of this name bore.
   *
   * @param dispatch the name, as the activity gave it
   */
  UpstreamKey upstreamKey(String dispatch);

  /**
   * An argument of the activity.
   *
   * @param index from 0
   * @throws IndexOutOfBoundsException there is none
   * @throws ClassCastException it is none of this type
   */
  <T> @Nullable T argument(int index, Class<T> type);

  /** The attempts whose outcome nobody saw, oldest first. */
  List<Earlier> earlier();

  /**
   * One of them.
   *
   * @param token what it may have shown to the upstream
   * @param claimedAt by the database's clock
   * @param horizon from then on its request cannot land any more
   * @param lastReason what was reported of it last; null where nothing was
   */
  record Earlier(
      FencingToken token, Instant claimedAt, Instant horizon, @Nullable String lastReason) {}
}
