package dev.holdfast.spring;

import dev.holdfast.Scope;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.CommitLevel;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application may say about its Holdfast plugin. What it does not say the plugin decides
 * ({@link dev.holdfast.activities.Holdfast.Builder}); a name that is none of these stops the start,
 * because a scope that is misspelt would otherwise be another scope.
 *
 * @param enabled Whether fenced activities are protected. Without the plugin they are not.
 * @param scope Scope of operations whose arguments name none. The default is the Temporal
 *     namespace; required where the application has several.
 * @param dataSource Name of the DataSource bean that holds the ledger; required where there are
 *     several.
 * @param schema Schema of the ledger's tables, a plain lower-case name. The default is holdfast.
 * @param migrate Whether the ledger's tables are created or upgraded when the application starts.
 * @param lease How long a lease lasts unless it is renewed, at least 1 s. The default is 30 s.
 * @param margin What must remain of a lease when a receipt is committed, at most a third of it. The
 *     default is 50 ms.
 * @param waitInPlace How long a call waits for a lease that is held elsewhere before Temporal is
 *     asked to retry it. The default is 2 s.
 * @param sweepEvery About how often a running worker looks after operations that nobody asks for
 *     again, 1 s to 1 day; 0 for never. The default is 1 min.
 * @param workerName How the ledger names this worker. The default is process id and host.
 * @param commitLevel What a commit waits for before anybody acts upon it. The default is on.
 * @param activityInterfaces Interfaces of activities that run on other workers and are called by
 *     untyped stubs.
 */
@ConfigurationProperties(prefix = HoldfastProperties.PREFIX, ignoreUnknownFields = false)
public record HoldfastProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Scope scope,
    @Nullable String dataSource,
    @Nullable String schema,
    @DefaultValue("false") boolean migrate,
    @Nullable Duration lease,
    @Nullable Duration margin,
    @Nullable Duration waitInPlace,
    @Nullable Duration sweepEvery,
    @Nullable WorkerName workerName,
    @Nullable CommitLevel commitLevel,
    @DefaultValue List<Class<?>> activityInterfaces) {
  static final String PREFIX = "holdfast";

  public HoldfastProperties {
    activityInterfaces = List.copyOf(activityInterfaces);
  }
}
