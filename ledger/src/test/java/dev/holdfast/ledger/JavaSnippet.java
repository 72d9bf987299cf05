package dev.holdfast.ledger;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.NullMarked;

/** A few statements of a caller in another package, given to the compiler as they stand. */
final class JavaSnippet extends SimpleJavaFileObject {
  private static final String BEFORE =
      """
      package a.callers;
      import dev.holdfast.ledger.*;
      import dev.holdfast.ledger.settlement.*;
      class Caller {
        void call(Ledger ledger, ClaimRequest request, UpstreamResponse answer, StoredResult result) {
      """;
  private static final String AFTER =
      """
        }
        VerifiedResponse verified(UpstreamResponse answer) {
          return switch (answer.verify(UpstreamResponse.DigestRule.REQUIRED)) {
            case Verification.Verified verified -> verified.response();
            case Verification.Unverified unverified -> throw new IllegalStateException();
          };
        }
      }
      """;

  private final String source;

  private JavaSnippet(String source) {
    super(URI.create("string:///a/callers/Caller.java"), Kind.SOURCE);
    this.source = source;
  }

  /** An error by its line in the snippet, from 1, and the compiler's own code for its kind. */
  record CompileError(long line, String code) {}

  /** Compiles the statements as the body of a method; yields the errors, none where it is right. */
  static List<CompileError> compile(String statements) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
    // the whole analysis, whatever was found before, and no class files
    List<String> options =
        List.of(
            "-proc:none",
            "-implicit:none",
            "--should-stop=ifNoError=FLOW",
            "--should-stop=ifError=FLOW",
            "-classpath",
            classpath());
    boolean compiled =
        compiler
            .getTask(
                null,
                null,
                found,
                options,
                null,
                List.of(new JavaSnippet(BEFORE + statements + AFTER)))
            .call();
    List<CompileError> errors =
        found.getDiagnostics().stream()
            .filter(diagnostic -> diagnostic.getKind() == Diagnostic.Kind.ERROR)
            .map(error -> new CompileError(lineInSnippet(error), error.getCode()))
            .toList();
    if (compiled != errors.isEmpty()) {
      throw new IllegalStateException("the compiler failed for another reason");
    }
    return errors;
  }

  private static long lineInSnippet(Diagnostic<?> error) {
    return error.getLineNumber() - BEFORE.lines().count();
  }

  private static String classpath() {
    return Stream.of(Ledger.class, NullMarked.class)
        .map(JavaSnippet::origin)
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static String origin(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public CharSequence getCharContent(boolean ignoreEncodingErrors) {
    return source;
  }
}
