package dev.holdfast.ledger.jooq;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;

/** Threads that do the same at the same time. */
final class Contenders {
  private Contenders() {}

  /** What one of them does in one round. */
  @FunctionalInterface
  interface Attempt<T> {
    T in(int contender, int round) throws Exception;
  }

  /**
   * Lets them start each round together.
   *
   * @return their answers, by round
   */
  static <T> List<List<T>> race(int contenders, int rounds, Attempt<T> attempt) throws Exception {
    Phaser start = new Phaser(contenders);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<List<T>>> running = new ArrayList<>();
      for (int i = 0; i < contenders; i++) {
        int contender = i;
        running.add(threads.submit(() -> rounds(start, rounds, contender, attempt)));
      }
      return byRound(running, rounds);
    }
  }

  private static <T> List<T> rounds(Phaser start, int rounds, int contender, Attempt<T> attempt)
      throws Exception {
    try {
      List<T> answers = new ArrayList<>();
      for (int round = 0; round < rounds; round++) {
        start.arriveAndAwaitAdvance();
        answers.add(attempt.in(contender, round));
      }
      return answers;
    } finally {
      // nobody may wait for one that fell out
      start.arriveAndDeregister();
    }
  }

  private static <T> List<List<T>> byRound(List<Future<List<T>>> running, int rounds)
      throws InterruptedException, ExecutionException {
    List<List<T>> answers = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      answers.add(new ArrayList<>());
    }
    for (Future<List<T>> contender : running) {
      List<T> own = contender.get();
      for (int round = 0; round < rounds; round++) {
        answers.get(round).add(own.get(round));
      }
    }
    return answers;
  }

  /** Starts something that may have to wait. */
  static <T> Future<T> background(Callable<T> task) {
    FutureTask<T> future = new FutureTask<>(task);
    Thread.ofVirtual().start(future);
    return future;
  }
}
