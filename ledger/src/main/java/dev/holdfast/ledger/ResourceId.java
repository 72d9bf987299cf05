package dev.holdfast.ledger;

/**
 * What a lease excludes others from. An operation is its own resource unless its author names a
 * shared one.
 *
 * <p>The two kinds never share a text: an operation's begins with its type, a shared one with a
 * colon, which no type may hold.
 */
public record ResourceId(String value) {
  static final int LIMIT = 1 + OperationId.TYPE_LIMIT + OperationId.KEY_LIMIT;

  public ResourceId {
    Text.named("the resource", value, LIMIT);
  }

  /** The resource of an operation that shares none. */
  public static ResourceId of(OperationId operation) {
    return new ResourceId(operation.text());
  }

  /** A resource that several operations take in turn; its name has at most 255 characters. */
  public static ResourceId shared(String name) {
    return new ResourceId(":" + Text.named("the resource", name, OperationId.KEY_LIMIT));
  }

  /** Whether this resource has a row of its own, which is locked before the operation's. */
  public boolean isShared() {
    return value.startsWith(":");
  }

  @Override
  public String toString() {
    return "#" + Sha256.ofUtf8(value).shortHex();
  }
}
