package dev.holdfast.samples.upstream;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Exports a document: {@code POST /exports} with {@code {"document": "d-1", "format": "pdf"}}, the
 * format being optional, is answered 201 with {@code {"export": "exp-1", "document": …, "format":
 * …}}. Each export that happens has a name of its own.
 */
public final class DocumentExporter implements Work {

  private final AtomicLong exports = new AtomicLong();

  private DocumentExporter() {}

  /**
   * Starts an exporter on loopback.
   *
   * @param port the port, 0 for a free one
   */
  public static Upstream start(int port) throws IOException {
    return Upstream.start(port, new DocumentExporter());
  }

  @Override
  public String path() {
    return "/exports";
  }

  @Override
  public FlatJson perform(FlatJson request) {
    String document = request.string("document");
    String format = request.string("format", "pdf");
    String export = "exp-" + exports.incrementAndGet();
    return FlatJson.of("export", export, "document", document, "format", format);
  }
}
