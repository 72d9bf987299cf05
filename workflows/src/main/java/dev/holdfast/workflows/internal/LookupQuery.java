package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.holdfast.Generation;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import org.jspecify.annotations.Nullable;

/**
 * Which operation a look-up is about.
 *
 * @param required for a gate: epoch, effect and receipt must be these as well
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LookupQuery(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    @Nullable OperationRef required) {

  /** Asks whether this very completion still stands. */
  public static LookupQuery of(OperationRef ref) {
    return new LookupQuery(ref.scope(), ref.operation(), ref.fingerprint(), ref.generation(), ref);
  }
}
