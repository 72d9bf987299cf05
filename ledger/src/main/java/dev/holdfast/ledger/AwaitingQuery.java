package dev.holdfast.ledger;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which waiting operations to list.
 *
 * @param scope null for all scopes
 * @param causes waiting for any of these
 * @param after the last one of the page before; null for the first page
 * @param limit 1 to 1,000
 */
public record AwaitingQuery(
    @Nullable Scope scope,
    Set<AwaitingOperation.Cause> causes,
    @Nullable AwaitingOperation after,
    int limit) {
  /** 1,000: a page that a person can still read, from one short statement. */
  public static final int LARGEST_PAGE = 1_000;

  public AwaitingQuery {
    causes = Set.copyOf(causes);
    if (causes.isEmpty()) {
      throw new IllegalArgumentException("a query for operations that wait for nothing");
    }
    if (limit < 1 || limit > LARGEST_PAGE) {
      throw new IllegalArgumentException("a page holds 1 to " + LARGEST_PAGE + ": " + limit);
    }
  }

  /** The first page of all that wait, whatever for. */
  public static AwaitingQuery all() {
    return new AwaitingQuery(null, Set.of(AwaitingOperation.Cause.values()), null, LARGEST_PAGE);
  }

  /** The same in one scope. */
  public AwaitingQuery in(Scope one) {
    return new AwaitingQuery(one, causes, after, limit);
  }

  /** The same with these causes alone. */
  public AwaitingQuery waitingFor(Set<AwaitingOperation.Cause> these) {
    return new AwaitingQuery(scope, these, after, limit);
  }

  /** The page behind this operation. */
  public AwaitingQuery after(AwaitingOperation last) {
    return new AwaitingQuery(scope, causes, last, limit);
  }

  /** The same with pages of this size. */
  public AwaitingQuery limitedTo(int size) {
    return new AwaitingQuery(scope, causes, after, size);
  }
}
