package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import com.google.protobuf.Timestamp;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Calls activities of every kind of result, and tells what it got, in words. */
@WorkflowInterface
public interface ResultsWorkflow {
  @WorkflowMethod
  List<String> run(String key);

  /** An element with a type of its own. */
  record Item(String name, int count) {}

  /** A generic result. */
  record Page<T>(T content, int number) {}

  /** One activity for each kind. */
  @ActivityInterface
  interface Results {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    void nothing(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    @Nullable String nullText(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String emptyText(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    int number(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    Optional<String> absent(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    byte[] noBytes(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    byte[] bytes(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    List<Item> items(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    List<Item> noItems(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    Page<List<Item>> page(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    Optional<Item> present(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    Item item(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    Timestamp message(@OperationKey String key);
  }

  /** What it tells where all went well. */
  List<String> ALL =
      List.of(
          "void",
          "null",
          "<>",
          "42",
          "Optional.empty",
          "[]",
          "[1, 0, -1]",
          "3",
          "[]",
          "c",
          "d",
          "Item[name=e, count=5]",
          "1700000000");

  /** Each is one effect at this upstream. */
  final class ResultsImpl implements Results {
    private final Upstream upstream;

    public ResultsImpl(Upstream upstream) {
      this.upstream = upstream;
    }

    private void effect() {
      var unused = upstream.dispatch("it");
    }

    @Override
    public void nothing(String key) {
      effect();
    }

    @Override
    public @Nullable String nullText(String key) {
      effect();
      return null;
    }

    @Override
    public String emptyText(String key) {
      effect();
      return "";
    }

    @Override
    public int number(String key) {
      effect();
      return 42;
    }

    @Override
    public Optional<String> absent(String key) {
      effect();
      return Optional.empty();
    }

    @Override
    public byte[] noBytes(String key) {
      effect();
      return new byte[0];
    }

    @Override
    public byte[] bytes(String key) {
      effect();
      return new byte[] {1, 0, -1};
    }

    @Override
    public List<Item> items(String key) {
      effect();
      return List.of(new Item("a", 1), new Item("b", 2));
    }

    @Override
    public List<Item> noItems(String key) {
      effect();
      return List.of();
    }

    @Override
    public Page<List<Item>> page(String key) {
      effect();
      return new Page<>(List.of(new Item("c", 3)), 7);
    }

    @Override
    public Optional<Item> present(String key) {
      effect();
      return Optional.of(new Item("d", 4));
    }

    @Override
    public Item item(String key) {
      effect();
      return new Item("e", 5);
    }

    @Override
    public Timestamp message(String key) {
      effect();
      return Timestamp.newBuilder().setSeconds(1_700_000_000L).build();
    }
  }

  /** The workflow. */
  final class Impl implements ResultsWorkflow {
    private final Results results =
        Workflow.newActivityStub(
            Results.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                .build());

    @Override
    public List<String> run(String key) {
      results.nothing(key);
      int count = results.items(key).stream().mapToInt(Item::count).sum();
      return List.of(
          "void",
          String.valueOf(results.nullText(key)),
          "<" + results.emptyText(key) + ">",
          Integer.toString(results.number(key)),
          results.absent(key).toString(),
          Arrays.toString(results.noBytes(key)),
          Arrays.toString(results.bytes(key)),
          Integer.toString(count),
          results.noItems(key).toString(),
          results.page(key).content().getFirst().name(),
          results.present(key).map(Item::name).orElse("nothing"),
          results.item(key).toString(),
          Long.toString(results.message(key).getSeconds()));
    }
  }
}
