package dev.holdfast.activities.internal;

import dev.holdfast.OperationId;
import dev.holdfast.Scope;
import dev.holdfast.activities.Inquiry;
import dev.holdfast.activities.UpstreamKey;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.ReconcilingLease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An inquiry under a lease. */
final class OpenInquiry implements Inquiry {
  private final ReconcilingLease lease;
  private final List<OpenAttempt> open;
  private final @Nullable Object[] arguments;

  OpenInquiry(ReconcilingLease lease, List<OpenAttempt> open, @Nullable Object[] arguments) {
    this.lease = lease;
    this.open = open;
    this.arguments = arguments;
  }

  @Override
  public Scope scope() {
    return new Scope(lease.reservation().scope().value());
  }

  @Override
  public OperationId operation() {
    return OperationId.parse(lease.reservation().operation().text());
  }

  @Override
  public FencingToken token() {
    return lease.token();
  }

  @Override
  public UpstreamKey upstreamKey() {
    return key(DispatchName.ONLY);
  }

  @Override
  public UpstreamKey upstreamKey(String dispatch) {
    return key(DispatchName.of(dispatch));
  }

  private UpstreamKey key(DispatchName name) {
    return UpstreamKeys.of(lease.reservation(), lease.epoch(), name.value());
  }

  @Override
  public <T> @Nullable T argument(int index, Class<T> type) {
    return type.cast(arguments[index]);
  }

  @Override
  public List<Earlier> earlier() {
    return open.stream()
        .map(
            attempt ->
                new Earlier(
                    attempt.token(), attempt.claimedAt(), attempt.horizon(), attempt.lastReason()))
        .toList();
  }
}
