package dev.holdfast.workflows.internal;

/** Waits durably for an operation that only a person can decide. */
public final class DurableWait {
  /**
   * Name of the signal that makes a waiting workflow look at once, sent by whoever decided the
   * operation. Has no payload: it says nothing but "look again", and looking in vain does no harm.
   */
  public static final String SIGNAL = "holdfast-look-again";

  private DurableWait() {}
}
