package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;

/** Makes arguments that no client could send in, and calls a fenced activity with them. */
@WorkflowInterface
public interface OddInputWorkflow {
  @WorkflowMethod
  String call(Odd odd);

  /** What is odd about the call. */
  enum Odd {
    LONE_SURROGATE,
    NOT_A_NUMBER,
    INFINITE,
    ENDLESS
  }

  /** Holds itself. */
  final class Endless {
    public Endless getSelf() {
      return this;
    }
  }

  /** Takes them. */
  @ActivityInterface
  interface Measures {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String measure(@OperationKey String key, double value);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String follow(@OperationKey String key, Endless endless);
  }

  /** Never reached. */
  final class MeasuresImpl implements Measures {
    private final Upstream upstream;

    public MeasuresImpl(Upstream upstream) {
      this.upstream = upstream;
    }

    @Override
    public String measure(String key, double value) {
      return upstream.dispatch(Double.toString(value));
    }

    @Override
    public String follow(String key, Endless endless) {
      return upstream.dispatch("followed");
    }
  }

  /** The workflow. */
  final class Impl implements OddInputWorkflow {
    private final Measures measures =
        Workflow.newActivityStub(
            Measures.class,
            ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofSeconds(30)).build());

    @Override
    public String call(Odd odd) {
      return switch (odd) {
        case LONE_SURROGATE -> measures.measure("a\ud800", 1);
        case NOT_A_NUMBER -> measures.measure("nan", Double.NaN);
        case INFINITE -> measures.measure("infinite", Double.NEGATIVE_INFINITY);
        case ENDLESS -> measures.follow("endless", new Endless());
      };
    }
  }
}
