package dev.holdfast.workflows.internal;

/** A value without a canonical form. The message is ours and never quotes the value. */
final class UnfitValueException extends IllegalArgumentException {
  UnfitValueException(String message) {
    super(message);
  }
}
