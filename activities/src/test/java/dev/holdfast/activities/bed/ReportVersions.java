package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One activity as three versions of a program declare it, and a workflow that calls either. */
@WorkflowInterface
public interface ReportVersions {
  @WorkflowMethod
  String report(int version, String key);

  /** Version 1. */
  @ActivityInterface
  interface First {
    /** What it returns. */
    record Report(String title) {}

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", operation = "Report")
    First.Report report(@OperationKey String key);
  }

  /** Version 2: one field more. */
  @ActivityInterface
  interface WithAuthor {
    /** What it returns. */
    record Report(String title, @Nullable String author) {}

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", operation = "Report")
    WithAuthor.Report report(@OperationKey String key);
  }

  /** Version 3: another field. */
  @ActivityInterface
  interface WithPages {
    /** What it returns. */
    record Report(List<String> pages) {}

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", operation = "Report")
    WithPages.Report report(@OperationKey String key);
  }

  /** Version 1. */
  static First first(Upstream upstream) {
    return new FirstImpl(upstream);
  }

  /** Version 2. */
  static WithAuthor withAuthor(Upstream upstream) {
    return new WithAuthorImpl(upstream);
  }

  /** Version 3. */
  static WithPages withPages(Upstream upstream) {
    return new WithPagesImpl(upstream);
  }

  /** The implementation. */
  record FirstImpl(Upstream upstream) implements First {
    @Override
    public First.Report report(String key) {
      return new First.Report(upstream.dispatch("it"));
    }
  }

  /** The implementation. */
  record WithAuthorImpl(Upstream upstream) implements WithAuthor {
    @Override
    public WithAuthor.Report report(String key) {
      return new WithAuthor.Report(upstream.dispatch("it"), "me");
    }
  }

  /** The implementation. */
  record WithPagesImpl(Upstream upstream) implements WithPages {
    @Override
    public WithPages.Report report(String key) {
      return new WithPages.Report(List.of(upstream.dispatch("it")));
    }
  }

  /** The workflow. */
  final class Impl implements ReportVersions {
    private static final ActivityOptions OPTIONS =
        ActivityOptions.newBuilder()
            .setStartToCloseTimeout(Duration.ofSeconds(30))
            .setRetryOptions(
                RetryOptions.newBuilder()
                    .setInitialInterval(Duration.ofMillis(100))
                    .setMaximumAttempts(3)
                    .build())
            .build();

    @Override
    public String report(int version, String key) {
      return switch (version) {
        case 1 -> Workflow.newActivityStub(First.class, OPTIONS).report(key).toString();
        case 2 -> Workflow.newActivityStub(WithAuthor.class, OPTIONS).report(key).toString();
        default -> Workflow.newActivityStub(WithPages.class, OPTIONS).report(key).toString();
      };
    }
  }
}
