package dev.holdfast.activities.bed;

import io.temporal.client.WorkflowException;
import io.temporal.failure.ApplicationFailure;
import io.temporal.failure.CanceledFailure;
import io.temporal.failure.TimeoutFailure;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a workflow's caller sees. */
public final class Failures {
  private Failures() {}

  /** The innermost failure of a workflow that has to fail. */
  public static ApplicationFailure of(ThrowingCallable workflow) {
    Throwable cause = Assertions.catchThrowableOfType(WorkflowException.class, workflow);
    Assertions.assertThat(cause).as("the workflow fails").isNotNull();
    while (!(cause instanceof ApplicationFailure)) {
      Assertions.assertThat(cause)
          .as("an application failure")
          .isNotNull()
          .isNotInstanceOfAny(TimeoutFailure.class, CanceledFailure.class);
      cause = cause.getCause();
    }
    return (ApplicationFailure) cause;
  }
}
