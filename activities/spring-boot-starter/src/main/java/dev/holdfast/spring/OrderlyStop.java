package dev.holdfast.spring;

import io.temporal.worker.WorkerFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Lets the activities under way end before the data source goes. The Temporal starter only tells
 * its workers to stop, and an effect whose receipt can no longer be written has an unknown outcome.
 *
 * <p>Boot waits for it no longer than {@code spring.lifecycle.timeout-per-shutdown-phase}.
 */
final class OrderlyStop implements SmartLifecycle {
  private final ObjectProvider<WorkerFactory> factories;
  private volatile boolean running;

  OrderlyStop(ObjectProvider<WorkerFactory> factories) {
    this.factories = factories;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop(Runnable stopped) {
    List<WorkerFactory> all = factories.stream().toList();
    all.forEach(WorkerFactory::shutdown);
    Thread.ofVirtual()
        .name("holdfast-orderly-stop")
        .start(
            () -> {
              // longer than anybody waits: the bound is Boot's
              all.forEach(factory -> factory.awaitTermination(1, TimeUnit.DAYS));
              running = false;
              stopped.run();
            });
  }

  @Override
  public void stop() {
    factories.stream().forEach(WorkerFactory::shutdown);
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }
}
