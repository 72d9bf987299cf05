package dev.holdfast.samples.upstream;

import static java.util.Collections.nCopies;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class KeyBookTest {

  private static final int RIVALS = 4;
  private static final int KEYS = 200_000;

  private final KeyBook book = new KeyBook();

  @Test
  void of_all_that_begin_a_key_at_once_exactly_one_owns_it() throws Exception {
    // who runs ahead has the dearer work, so that the rivals meet again and again
    CyclicBarrier start = new CyclicBarrier(RIVALS);
    Callable<Integer> rival =
        () -> {
          int owned = 0;
          start.await();
          for (int i = 0; i < KEYS; i++) {
            IdempotencyKey key = new IdempotencyKey("k-" + i);
            owned += book.begin(key, "digest") instanceof KeyBook.Finding.Fresh ? 1 : 0;
          }
          return owned;
        };

    List<Integer> owned = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(RIVALS)) {
      for (Future<Integer> future : threads.invokeAll(nCopies(RIVALS, rival))) {
        owned.add(future.get());
      }
    }

    assertThat(owned.stream().mapToInt(Integer::intValue).sum()).isEqualTo(KEYS);
  }
}
