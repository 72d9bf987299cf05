package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationRef;
import dev.holdfast.RequiresCompleted;
import dev.holdfast.Settled;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.function.Function;

/** Exports a document, then shares it: the second effect is gated on the first. */
@WorkflowInterface
public interface ExportThenShareWorkflow {
  @WorkflowMethod
  Shared run(String exportId, String shareId, Document document);

  /** What is exported. */
  record Document(String title, int pages) {}

  /** What came of it. */
  record Shared(String link, boolean replayed) {}

  /** The first effect. */
  @ActivityInterface
  interface Exports {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String export(@OperationKey String exportId, Document document);
  }

  /** The second effect. */
  @ActivityInterface
  interface Shares {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    String share(
        @OperationKey String shareId, @RequiresCompleted OperationRef export, String reader);
  }

  /** The first activity around an effect. */
  final class ExportsImpl implements Exports {
    private final Function<Document, String> effect;

    public ExportsImpl(Function<Document, String> effect) {
      this.effect = effect;
    }

    @Override
    public String export(String exportId, Document document) {
      return effect.apply(document);
    }
  }

  /** The second activity around an effect. */
  final class SharesImpl implements Shares {
    private final Function<String, String> effect;

    public SharesImpl(Function<String, String> effect) {
      this.effect = effect;
    }

    @Override
    public String share(String shareId, OperationRef export, String reader) {
      return effect.apply(reader);
    }
  }

  /** The workflow. */
  final class Impl implements ExportThenShareWorkflow {
    private final ActivityOptions options =
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(30))
            .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(2).build())
            .build();
    private final Exports exports = Workflow.newActivityStub(Exports.class, options);
    private final Shares shares = Workflow.newActivityStub(Shares.class, options);

    @Override
    public Shared run(String exportId, String shareId, Document document) {
      Settled<String> exported = FencedActivities.call(exports::export, exportId, document);
      String link = shares.share(shareId, exported.ref(), exported.value());
      return new Shared(link, exported.replayed());
    }
  }
}
