package dev.holdfast.activities.bed;

import io.temporal.failure.ApplicationFailure;
import java.io.IOException;

/** Ways in which an activity's code breaks off. */
public enum Blow {
  RUNTIME {
    @Override
    public void strike() {
      throw new IllegalStateException("struck");
    }
  },
  CHECKED {
    @Override
    public void strike() throws IOException {
      throw new IOException("struck");
    }
  },
  STACK_OVERFLOW {
    @Override
    public void strike() {
      throw new StackOverflowError("struck");
    }
  },
  OUT_OF_MEMORY {
    @Override
    public void strike() {
      throw new OutOfMemoryError("struck");
    }
  },
  NOT_RETRYABLE {
    @Override
    public void strike() {
      throw ApplicationFailure.newNonRetryableFailure("struck", "AuthorsOwn");
    }
  },
  INTERRUPTED {
    @Override
    public void strike() throws InterruptedException {
      Thread.currentThread().interrupt();
      throw new InterruptedException("struck");
    }
  };

  /** Breaks off; never returns. */
  public abstract void strike() throws Exception;
}
