package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.Upstream;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An activity whose class is fenced, and whose interface is not, registered as a JDK proxy. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProxiedActivityTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();
  private final Upstream upstream = new Upstream();

  ProxiedActivityTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** Says nothing of protection. */
  @ActivityInterface
  public interface Greetings {
    String greet(String key, String request);
  }

  /** As Spring's proxies have it. */
  public interface TargetClassAware {
    Class<?> getTargetClass();
  }

  private record FencedGreetings(Upstream upstream) implements Greetings {
    @Override
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", operation = "Effect")
    public String greet(@OperationKey String key, String request) {
      return upstream.dispatch(request);
    }
  }

  private Object proxy(Class<?>... interfaces) {
    FencedGreetings target = new FencedGreetings(upstream);
    return Proxy.newProxyInstance(
        Greetings.class.getClassLoader(),
        interfaces,
        (self, method, arguments) ->
            method.getName().equals("getTargetClass")
                ? FencedGreetings.class
                : method.invoke(target, arguments));
  }

  private String logOfStarting(Object activities) {
    PrintStream stderr = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, UTF_8));
    try {
      bed.startApart(ledger.dataSource(), activities);
    } finally {
      System.setErr(stderr);
    }
    return logged.toString(UTF_8);
  }

  // case E1
  @Test
  void behind_a_proxy_that_tells_its_class_it_is_protected() {
    assertThat(logOfStarting(proxy(Greetings.class, TargetClassAware.class)))
        .doesNotContain("goes unseen");

    assertThat(bed.workflow(UntypedWorkflow.class).call("Greet", "told", "x", 1))
        .isEqualTo("did x");
    assertThat(bed.workflow(UntypedWorkflow.class).call("Greet", "told", "x", 1))
        .isEqualTo("did x");

    assertThat(rows.state("told")).isEqualTo("completed, 0 open");
    assertThat(upstream.requests()).isEqualTo(1);
  }

  // case E1
  @Test
  void behind_one_that_does_not_tell_the_worker_warns_that_it_could_not_see_it() {
    assertThat(logOfStarting(proxy(Greetings.class)))
        .containsOnlyOnce("goes unseen")
        .contains("Greetings");
  }
}
