package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.testbed.LedgerAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What callers name and store comes back as it went in, at its longest and at its strangest. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class StoredNamesTest {
  private static final String FACE = "\ud83d\ude00";

  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  StoredNamesTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.pool(8), LedgerOptions.standard());
  }

  // case H1
  @Test
  void the_longest_names_fit_their_columns() {
    OperationId operation = new OperationId(FACE.repeat(100), FACE.repeat(255));
    Reservation longest =
        new Reservation(
            new Scope(FACE.repeat(100)),
            operation,
            new RequestFingerprint(FACE.repeat(16), Sha256.ofUtf8("request")),
            new Generation(Long.MAX_VALUE),
            ResourceId.of(operation));
    AttemptOrigin origin =
        new AttemptOrigin(
            FACE.repeat(255), FACE.repeat(1_000), FACE.repeat(100), FACE.repeat(1_000), 1);

    Lease lease = granted(request(longest, FACE.repeat(255), origin));
    SettleOutcome settled = settle(lease, FACE.repeat(255), new StoredResult.NoValue());

    assertThat(settled).isInstanceOf(SettleOutcome.Committed.class);
    assertThat(ledger.read(longest.scope(), operation).orElseThrow().reservation())
        .isEqualTo(longest);
    assertThat(ledger.claim(request(longest, "worker", origin))).isInstanceOf(Claim.Replay.class);
  }

  static Stream<Arguments> results() {
    byte[] everyByte = new byte[256];
    for (int i = 0; i < everyByte.length; i++) {
      everyByte[i] = (byte) i;
    }
    return Stream.of(
        Arguments.of("every byte", new StoredResult.Value(everyByte)),
        Arguments.of("a zero", new StoredResult.Value(new byte[] {0})),
        Arguments.of("an empty value", new StoredResult.Value(new byte[0])),
        Arguments.of("two megabytes", new StoredResult.Value(new byte[2_000_000])),
        Arguments.of("null", new StoredResult.Null()),
        Arguments.of("nothing", new StoredResult.NoValue()),
        Arguments.of("a digest", new StoredResult.NotStored(Sha256.ofUtf8("too large"))));
  }

  // case I21
  @ParameterizedTest
  @MethodSource("results")
  void a_result_is_replayed_byte_by_byte(String what, StoredResult result) {
    Asking asking = Asking.about("result: " + what);

    assertThat(settle(asking.dispatched(ledger), "effect", result))
        .isInstanceOf(SettleOutcome.Committed.class);

    assertThat(asking.claim(ledger))
        .isInstanceOfSatisfying(
            Claim.Replay.class, replay -> assertThat(replay.result()).isEqualTo(result));
  }

  // case I21, case H1
  @ParameterizedTest
  @ValueSource(strings = {"wf\u0000id", "wf\ud800", "wf\nid", "", "\u200b"})
  void where_a_claim_comes_from_never_hinders_it(String workflow) {
    String key = "origin-" + workflow.hashCode();
    String tooLong = workflow.concat("x").repeat(2_000);

    granted(request(Asking.about(key).reservation(), "worker", origin(workflow)));
    granted(request(Asking.about("long-" + key).reservation(), "worker", origin(tooLong)));
  }

  @Test
  void what_cannot_be_stored_of_an_origin_is_seen_to_be_missing() {
    Asking asking = Asking.about("shown-origin");

    granted(request(asking.reservation(), "worker", origin("a\u0000b\ud800" + FACE.repeat(2_000))));

    assertThat(StoredOperation.of(embedded, asking.reservation()))
        .has(OPERATION.WORKFLOW_ID, "a\ufffdb\ufffd" + FACE.repeat(996));
  }

  @Test
  void where_a_claim_comes_from_is_stored_as_it_was_told() {
    Asking asking = Asking.about("origin");

    granted(
        request(asking.reservation(), "worker", new AttemptOrigin("ns", "wf/1", "run", "7", 3)));

    assertThat(StoredOperation.of(embedded, asking.reservation()))
        .has(OPERATION.NAMESPACE, "ns")
        .has(OPERATION.WORKFLOW_ID, "wf/1")
        .has(OPERATION.RUN_ID, "run")
        .has(OPERATION.ACTIVITY_ID, "7")
        .has(OPERATION.ATTEMPT_NUMBER, 3);
  }

  // case C3
  @Test
  void a_lease_that_ended_long_ago_is_granted_to_one_of_many() throws Exception {
    Asking asking = Asking.about("long-ago");
    Rows.of(embedded)
        .inProgress(asking.reservation())
        .with(OPERATION.EXPIRES_AT, Instant.EPOCH)
        .insert();

    List<Claim> claims = atOnce(16, () -> asking.claim(ledger));

    assertThat(claims).filteredOn(Claim.Granted.class::isInstance).hasSize(1);
    assertThat(claims).filteredOn(Claim.Busy.class::isInstance).hasSize(15);
  }

  private Lease granted(ClaimRequest request) {
    Claim claim = ledger.claim(request);
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return ((Claim.Granted) claim).lease().dispatch();
  }

  private SettleOutcome settle(Lease lease, String effect, StoredResult result) {
    UpstreamResponse response =
        new UpstreamResponse(200, true, new byte[] {1}, List.of(), new EffectId(effect));
    return switch (response.verify(UpstreamResponse.DigestRule.OPTIONAL)) {
      case Verification.Verified verified -> ledger.settle(lease, verified.response(), result);
      case Verification.Unverified unverified -> throw new AssertionError(unverified.reason());
    };
  }

  private static AttemptOrigin origin(@Nullable String workflow) {
    return new AttemptOrigin("default", workflow, "run", "activity", 1);
  }

  private static ClaimRequest request(
      Reservation reservation, String worker, AttemptOrigin origin) {
    Asking asking = Asking.about("terms");
    ClaimRequest terms = asking.request();
    return new ClaimRequest(
        reservation,
        ClaimId.random(),
        new WorkerName(worker),
        origin,
        terms.leaseFor(),
        terms.dispatchWithin(),
        terms.inFlight(),
        terms.margin(),
        terms.rule(),
        terms.policy(),
        List.of());
  }

  private static List<Claim> atOnce(int callers, Callable<Claim> call) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Claim> answers = new ArrayList<>();
      for (Future<Claim> answer : threads.invokeAll(Collections.nCopies(callers, call))) {
        answers.add(answer.get());
      }
      return answers;
    }
  }
}
