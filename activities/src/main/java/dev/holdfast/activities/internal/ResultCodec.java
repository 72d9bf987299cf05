package dev.holdfast.activities.internal;

import dev.holdfast.ledger.StoredResult;
import org.jspecify.annotations.Nullable;

/** Turns the results of one activity into what the ledger keeps, and back into payloads. */
interface ResultCodec {
  /** The result as converter and codec of the worker encode it. */
  StoredResult encode(@Nullable Object result);
}
