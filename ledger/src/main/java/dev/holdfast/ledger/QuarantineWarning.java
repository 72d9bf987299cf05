package dev.holdfast.ledger;

import java.time.Instant;

/**
 * What was observed of an operation bears another tuple than its reservation: it was set aside. At
 * most one for each fingerprint and generation on an operation, and at most eight in any 24 hours,
 * by the database's clock (seed: bounded quarantine alerting); {@link OperatorActs#show} counts
 * them all.
 *
 * @param observed the fingerprint of the evidence
 * @param generation the binding generation of the evidence
 * @param at database time
 */
public record QuarantineWarning(
    Scope scope,
    OperationId operation,
    RequestFingerprint observed,
    Generation generation,
    Instant at) {}
