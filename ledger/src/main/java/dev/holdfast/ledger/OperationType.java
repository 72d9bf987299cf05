package dev.holdfast.ledger;

/**
 * What an operation does, without the key of the one request: all of a type are made under one
 * rule.
 *
 * @param value as in {@link OperationId#type}
 */
public record OperationType(String value) {
  public OperationType {
    Text.named("the operation type", value, OperationId.TYPE_LIMIT);
    if (value.indexOf(':') >= 0) {
      throw new IllegalArgumentException("the operation type holds a colon");
    }
  }

  /** Of this operation. */
  public static OperationType of(OperationId operation) {
    return new OperationType(operation.type());
  }
}
