package dev.holdfast.activities.internal;

import dev.holdfast.activities.Inquiry;
import dev.holdfast.activities.Reconciles;
import dev.holdfast.ledger.OpenAttempt;
import dev.holdfast.ledger.ReconcilingLease;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who can be asked what became of a call's effect, and with which arguments. They are taken when
 * the call comes, like all of its request.
 */
final class Question {
  private final @Nullable Reconciles<?> reconciler;
  private final @Nullable Object[] arguments;

  Question(@Nullable Reconciles<?> reconciler, @Nullable Object[] arguments) {
    this.reconciler = reconciler;
    this.arguments = arguments.clone();
  }

  /** Nobody can be asked. */
  static Question none() {
    return new Question(null, new Object[0]);
  }

  @Nullable Reconciles<?> reconciler() {
    return reconciler;
  }

  boolean canBeAsked() {
    return reconciler != null;
  }

  Inquiry inquiry(ReconcilingLease lease, List<OpenAttempt> open) {
    return new OpenInquiry(lease, open, arguments);
  }
}
