package dev.holdfast.samples.upstream;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Publishes a link to an export: {@code POST /shares} with {@code {"export": "exp-1", "audience":
 * "team"}}, the audience being optional, is answered 201 with {@code {"share": "shr-1", "link": …,
 * "export": …, "audience": …}}. Each share that happens has a link of its own.
 */
public final class SharePublisher implements Work {

  private final AtomicLong shares = new AtomicLong();

  private SharePublisher() {}

  /**
   * Starts a publisher on loopback.
   *
   * @param port the port, 0 for a free one
   */
  public static Upstream start(int port) throws IOException {
    return Upstream.start(port, new SharePublisher());
  }

  @Override
  public String path() {
    return "/shares";
  }

  @Override
  public FlatJson perform(FlatJson request) {
    String export = request.string("export");
    String audience = request.string("audience", "team");
    String share = "shr-" + shares.incrementAndGet();
    String link = "https://share.example/" + share;
    return FlatJson.of("share", share, "link", link, "export", export, "audience", audience);
  }
}
