package dev.holdfast;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * Refers to one completed operation: the tuple it was reserved under, its execution, its effect and
 * its receipt. Handed to a second activity as {@link RequiresCompleted} it opens that one's gate.
 *
 * <p>As an argument of another fenced activity only {@link #scope()} and {@link #operation()} enter
 * that one's fingerprint. Immutable; travels as JSON.
 *
 * @param scope tenant boundary
 * @param operation names the effect within the scope
 * @param fingerprint digest of the request
 * @param generation binding generation of the request
 * @param epoch execution number
 * @param effect what makes two successes the same effect
 * @param receipt number of the receipt
 * @param ledger where the receipt was committed
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record OperationRef(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    Epoch epoch,
    EffectId effect,
    ReceiptNumber receipt,
    LedgerIncarnation ledger) {}
