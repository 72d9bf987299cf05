package dev.holdfast.ledger;

import java.util.List;
import java.util.Optional;

/**
 * What a person sees of the ledger and may order. Apart from {@link Ledger}, so that a worker
 * cannot reach it. Safe for use by many threads; exceptions are the infrastructure's alone, as
 * there.
 */
public interface OperatorActs {
  /** Operations that wait for a person or a pick-up, those that have waited longest first. */
  List<AwaitingOperation> list(AwaitingQuery query);

  /** All that is kept of one operation; empty where nobody claimed it. Changes nothing. */
  Optional<OperationStory> show(Scope scope, OperationId operation);
}
