package dev.holdfast.ledger;

/**
 * One completed operation, exactly: its tuple, epoch and effect, and the receipt that proves it. A
 * gate opens on an equal one only.
 */
public record Completion(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    Epoch epoch,
    EffectId effect,
    ReceiptNumber receipt,
    LedgerPosition position) {}
