package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThatCode;

import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.workflows.internal.LedgerLookup;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactoryOptions;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RegistrationsTest {
  private static Barrier none() {
    throw new AssertionError("nobody looks anything up");
  }

  @Test
  void without_the_bridge_too_two_plugins_register_the_look_up_once() {
    LedgerLookup lookup = new LedgerLookupActivity(RegistrationsTest::none);
    try (WorkerBed bed = new WorkerBed()) {
      Worker worker =
          bed.factory(WorkerFactoryOptions.getDefaultInstance()).newWorker(WorkerBed.QUEUE);
      Registrations.registerPlainly(worker, lookup);

      assertThatCode(() -> Registrations.registerPlainly(worker, lookup))
          .doesNotThrowAnyException();
    }
  }
}
