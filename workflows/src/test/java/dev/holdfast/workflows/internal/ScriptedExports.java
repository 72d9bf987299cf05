package dev.holdfast.workflows.internal;

import dev.holdfast.OperationRef;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Activities that do what a test says, and count. */
final class ScriptedExports implements Exports {
  final AtomicInteger executions = new AtomicInteger();
  volatile Supplier<Document> exporting = () -> new Document("d-1", 3);
  volatile Supplier<@Nullable String> finding = () -> "found";

  @Override
  public Document export(String id, String request) {
    executions.incrementAndGet();
    return exporting.get();
  }

  @Override
  public Document exportPlainly(String id) {
    return export(id, "");
  }

  @Override
  public List<Document> exportAll(String id) {
    return List.of(export(id, ""));
  }

  @Override
  public @Nullable String find(String id) {
    executions.incrementAndGet();
    return finding.get();
  }

  @Override
  public String findOrFail(String id) {
    return String.valueOf(find(id));
  }

  @Override
  public void delete(String id) {
    executions.incrementAndGet();
    @Nullable String unused = finding.get();
  }

  @Override
  public String share(String id, OperationRef export) {
    executions.incrementAndGet();
    return "shared " + export.operation().key();
  }

  @Override
  public String once(String id) {
    executions.incrementAndGet();
    return id;
  }

  @Override
  public String plain(String id) {
    executions.incrementAndGet();
    return String.valueOf(finding.get());
  }
}
