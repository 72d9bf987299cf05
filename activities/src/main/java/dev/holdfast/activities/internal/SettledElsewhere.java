package dev.holdfast.activities.internal;

import dev.holdfast.KeyDigest;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.SettledFailure;
import dev.holdfast.ledger.StoredResult;
import io.temporal.common.interceptors.ActivityInboundCallsInterceptor.ActivityOutput;
import org.jspecify.annotations.Nullable;

/** Reads how an operation was settled when the attempt's own settlement came too late. */
final class SettledElsewhere {
  private final KeyDigest key;
  private final ResultCodec codec;

  SettledElsewhere(FencedRequest request, ResultCodec codec) {
    this.key = request.keyDigest();
    this.codec = codec;
  }

  /**
   * Its own receipt counts as committed; another's is replayed. The result is what the receipt was
   * committed with, for everybody alike: that of this attempt's effect may be what a question
   * found.
   */
  ActivityOutput read(OperationView operation, ClaimId holder) {
    return switch (operation.state()) {
      case COMPLETED -> completed(operation, holder);
      case FAILED -> throw failed(operation.failure());
      case CONFLICT -> throw Refusals.conflicted(key);
      // it was settled when the statement looked, and a person has opened it again since
      case UNKNOWN, IN_PROGRESS -> throw Refusals.contended(key);
    };
  }

  private ActivityOutput completed(OperationView operation, ClaimId holder) {
    return output(operation, !holder.equals(operation.receiptClaim()));
  }

  /** The result of a completed operation, of which this attempt has no part. */
  ActivityOutput replay(OperationView completed) {
    return output(completed, true);
  }

  private ActivityOutput output(OperationView operation, boolean replayed) {
    Completion completion = operation.completion();
    StoredResult stored = operation.result();
    if (completion == null || stored == null) {
      throw Refusals.contended(key);
    }
    return codec.output(stored, Vocabulary.ref(completion), replayed);
  }

  private RuntimeException failed(@Nullable SettledFailure failure) {
    return failure == null ? Refusals.contended(key) : Refusals.failedBefore(key, failure);
  }
}
