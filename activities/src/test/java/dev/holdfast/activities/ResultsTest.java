package dev.holdfast.activities;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.activities.bed.Converters;
import dev.holdfast.activities.bed.ResultsWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.client.WorkflowClient;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every kind of result comes back from its receipt as it came from the effect, whatever the
 * client's converter. All converters run side by side, each on a worker of its own.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@TestInstance(Lifecycle.PER_CLASS)
class ResultsTest {
  private final EmbeddedLedger ledger;
  private final WorkerBed bed = new WorkerBed();
  private final Map<Converters, Upstream> upstreams = new EnumMap<>(Converters.class);
  private final Map<Converters, CompletableFuture<List<String>>> first =
      new EnumMap<>(Converters.class);
  private final Map<Converters, CompletableFuture<List<String>>> second =
      new EnumMap<>(Converters.class);

  ResultsTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @BeforeAll
  void start() {
    DataSource pool = ledger.pool(6);
    for (Converters converter : Converters.values()) {
      Upstream upstream = new Upstream();
      upstreams.put(converter, upstream);
      WorkerBed.Side side =
          bed.side(
              converter.name(),
              converter.converter(),
              pool,
              ResultsWorkflow.Impl.class,
              new ResultsWorkflow.ResultsImpl(upstream));
      CompletableFuture<List<String>> effects = run(side);
      first.put(converter, effects);
      second.put(converter, effects.thenCompose(done -> run(side)));
    }
  }

  private static CompletableFuture<List<String>> run(WorkerBed.Side side) {
    return WorkflowClient.execute(side.workflow(ResultsWorkflow.class)::run, "by " + side.queue());
  }

  @AfterAll
  void close() {
    bed.close();
  }

  // cases B1, A14
  @ParameterizedTest
  @EnumSource
  void results_of_every_kind_are_replayed_as_they_were(Converters converter) throws Exception {
    assertThat(of(first, converter)).isEqualTo(ResultsWorkflow.ALL);
    assertThat(of(second, converter)).isEqualTo(ResultsWorkflow.ALL);
    assertThat(Objects.requireNonNull(upstreams.get(converter)).requests())
        .isEqualTo(ResultsWorkflow.ALL.size());
  }

  private static List<String> of(
      Map<Converters, CompletableFuture<List<String>>> runs, Converters converter)
      throws Exception {
    return Objects.requireNonNull(runs.get(converter)).get(60, SECONDS);
  }
}
