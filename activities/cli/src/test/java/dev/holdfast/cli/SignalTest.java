package dev.holdfast.cli;

import static dev.holdfast.ledger.jooq.generated.Tables.ATTEMPT;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import dev.holdfast.workflows.internal.DurableWait;
import io.temporal.api.history.v1.WorkflowExecutionSignaledEventAttributes;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowOptions;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.testserver.TestServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whom an act wakes. */
class SignalTest extends CliBed {
  private static final int PORT = freePort();
  private static final TestServer.PortBoundTestServer SERVER =
      TestServer.createPortBoundServer(PORT);
  private static final WorkflowServiceStubs SERVICE =
      WorkflowServiceStubs.newServiceStubs(
          WorkflowServiceStubsOptions.newBuilder().setTarget("127.0.0.1:" + PORT).build());

  private final WorkflowClient client = WorkflowClient.newInstance(SERVICE);
  private final String waiting = "waiting-for-" + document.operation().key();
  private final String gone = "gone-" + document.operation().key();

  SignalTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  @AfterAll
  static void close() {
    SERVICE.shutdownNow();
    SERVER.close();
  }

  private static int freePort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException("no free port on loopback", e);
    }
  }

  /** Both have an attempt on file; only one runs. */
  private void twoWorkflowsHaveTried() {
    WorkflowOptions options =
        WorkflowOptions.newBuilder().setTaskQueue("nobody polls").setWorkflowId(waiting).build();
    WorkflowStub unused = client.newUntypedWorkflowStub("Waiting", options);
    unused.start();
    parkedPastItsHorizon().with(OPERATION.WORKFLOW_ID, waiting).insert();
    Rows.of(ledger).attempt(document).with(ATTEMPT.WORKFLOW_ID, gone).insert();
    // counted by the operation
    ledger
        .sql()
        .update(OPERATION)
        .set(OPERATION.OPEN_ATTEMPTS, 2)
        .set(OPERATION.REVISION, OPERATION.REVISION.plus(1))
        .where(OPERATION.OPERATION_ID.eq(document.operation().text()))
        .execute();
  }

  private Run resolveTelling(String address, String... more) {
    return bare(resolving(address, more));
  }

  private String[] resolving(String address, String... more) {
    return new String[] {
      "resolve",
      "--jdbc-url=" + ledger.jdbcUrl(),
      "--scope=tenant",
      document.operation().text(),
      "--did-not-happen",
      "--force",
      "--actor=ann",
      "--reason=asked by phone",
      "--temporal=" + address,
      "--signal-timeout=2",
      more.length == 0 ? "--output=table" : more[0]
    };
  }

  private List<WorkflowExecutionSignaledEventAttributes> signals() {
    WorkflowExecutionHistory history = client.fetchHistory(waiting);
    return history.getHistory().getEventsList().stream()
        .filter(event -> event.hasWorkflowExecutionSignaledEventAttributes())
        .map(event -> event.getWorkflowExecutionSignaledEventAttributes())
        .toList();
  }

  @Test
  void who_waits_is_told_and_who_is_gone_is_named() {
    twoWorkflowsHaveTried();

    Run run = resolveTelling("127.0.0.1:" + PORT);

    assertThat(run.err()).isEmpty();
    assertThat(run.code()).isZero();
    assertThat(run.out()).containsPattern(waiting + " +told").containsPattern(gone + " +gone");
    assertThat(signals())
        .singleElement()
        .satisfies(
            signal -> {
              assertThat(signal.getSignalName()).isEqualTo(DurableWait.SIGNAL);
              assertThat(signal.getInput().getPayloadsCount()).isZero();
            });
  }

  @Test
  void a_dry_run_tells_nobody() {
    twoWorkflowsHaveTried();

    Run run = resolveTelling("127.0.0.1:" + PORT, "--dry-run");

    assertThat(run.out()).containsPattern(waiting + " +would be told");
    assertThat(signals()).isEmpty();
  }

  @Test
  void where_nobody_can_be_told_the_act_is_done_all_the_same() {
    twoWorkflowsHaveTried();

    Run run = resolveTelling("127.0.0.1:" + freePort());

    assertThat(run.code()).isEqualTo(4);
    assertThat(run.out()).containsPattern(waiting + " +not reached");
    LedgerAssert.assertThat(StoredOperation.of(ledger, document))
        .isInState(OperationState.UNKNOWN)
        .hasOpenAttempts(0);
    assertThat(signals()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"table, 'after      unknown'", "json, '\"after\" : \"unknown\"'"})
  void what_is_done_is_printed_before_anybody_is_told(String format, String done) throws Exception {
    twoWorkflowsHaveTried();
    StringWriter out = new StringWriter();
    CompletableFuture<Integer> code;
    String printed;
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String[] arguments = resolving("127.0.0.1:" + silent.getLocalPort(), "--output=" + format);
      code = CompletableFuture.supplyAsync(() -> resolve(out, arguments));
      // whoever is to be told is being looked for
      silent.accept().close();
      printed = out.toString();
    }

    assertThat(code.get(60, TimeUnit.SECONDS)).isEqualTo(4);
    assertThat(printed).contains(done).doesNotContain("not reached");
    assertThat(out.toString()).startsWith(printed).contains("not reached");
  }

  private static int resolve(StringWriter out, String... arguments) {
    return HoldfastCli.run(new PrintWriter(out), new PrintWriter(new StringWriter()), arguments);
  }

  @Test
  void an_address_that_names_nothing_does_not_hide_that_the_act_is_done() {
    twoWorkflowsHaveTried();

    Run run = resolveTelling("no address at all://");

    assertThat(run.code()).isEqualTo(4);
    assertThat(run.out()).containsPattern(waiting + " +not reached");
    LedgerAssert.assertThat(StoredOperation.of(ledger, document)).hasOpenAttempts(0);
  }

  @Test
  void who_would_not_wait_at_all_is_told_what_to_say() {
    parked().insert();

    Run run =
        run(
            "resolve",
            "--scope=tenant",
            document.operation().text(),
            "--happened",
            "--actor=ann",
            "--reason=asked by phone",
            "--temporal=127.0.0.1:" + PORT,
            "--signal-timeout=0");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--signal-timeout is 1 second or more");
    LedgerAssert.assertThat(StoredOperation.of(ledger, document)).isParkedFor("open_attempt");
  }
}
