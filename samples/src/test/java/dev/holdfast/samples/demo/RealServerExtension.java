package dev.holdfast.samples.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One server for the whole test run, started by the first test that asks for it. */
final class RealServerExtension implements ExecutionCondition, ParameterResolver {
  private static final ExtensionContext.Namespace OURS =
      ExtensionContext.Namespace.create(RealServerExtension.class);
  private static final AtomicBoolean SAID = new AtomicBoolean();
  private static final String MISSING =
      "TEMPORAL_CLI names no Temporal command-line tool: tests on a real server are skipped";

  @Override
  @SuppressWarnings("SystemOut") // the one visible line
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (cli() != null) {
      return ConditionEvaluationResult.enabled("a real server");
    }
    if ("true".equals(System.getenv("CI"))) {
      throw new IllegalStateException("CI=true, and TEMPORAL_CLI names no Temporal server");
    }
    if (SAID.compareAndSet(false, true)) {
      System.out.println(MISSING);
    }
    return ConditionEvaluationResult.disabled(MISSING);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == RealServer.class;
  }

  @Override
  public @Nullable Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(OURS)
        .computeIfAbsent(RealServer.class, ignored -> start(), RealServer.class);
  }

  private static RealServer start() {
    try {
      return RealServer.start(Path.of(Objects.requireNonNull(cli())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static @Nullable String cli() {
    String cli = System.getenv("TEMPORAL_CLI");
    return cli == null || cli.isBlank() ? null : cli;
  }
}
