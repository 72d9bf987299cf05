package dev.holdfast.ledger;

/**
 * The tuple under which an operation is claimed: immutable from the first claim on, changed only by
 * a recorded rebind.
 *
 * @param scope tenant boundary
 * @param operation names the effect within the scope
 * @param fingerprint digest of the request
 * @param generation binding generation of the request
 * @param resource what the lease excludes others from
 */
public record Reservation(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    ResourceId resource) {

  public Reservation {
    if (!resource.isShared() && !resource.equals(ResourceId.of(operation))) {
      throw new IllegalArgumentException("another operation's own resource cannot be taken");
    }
  }
}
