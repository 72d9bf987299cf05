package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.BindingRef;
import dev.holdfast.BoundTo;
import dev.holdfast.EvidenceGeneration;
import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.WhenUnknown;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.MessageSignatureVerifier;
import dev.holdfast.activities.evidence.Signer;
import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.BindingName;
import dev.holdfast.ledger.QuarantineWarning;
import dev.holdfast.ledger.RotateOutcome;
import dev.holdfast.ledger.Rotation;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.workflows.FencedActivities;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityOptions;
import io.temporal.common.RetryOptions;
import io.temporal.common.converter.DefaultDataConverter;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.workflow.Workflow;
import io.temporal.workflow.WorkflowInterface;
import io.temporal.workflow.WorkflowMethod;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The binding is rotated while a request is under way, and the upstream signs the new generation.
 */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class LiveEvidenceTest {
  private static final byte[] BODY = "a document".getBytes(UTF_8);
  private static final Signer SIGNER = Signer.ed25519("now");
  private static final EvidenceVerifier VERIFIER =
      MessageSignatureVerifier.of(List.of(SIGNER.key()), Clock.systemUTC());

  private final EmbeddedLedger ledger;
  private final JooqLedger beside;
  private final WorkerBed bed = new WorkerBed();
  private final Queue<QuarantineWarning> warnings = new ConcurrentLinkedQueue<>();

  LiveEvidenceTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.beside = JooqLedger.open(ledger.dataSource(), LedgerOptions.standard());
  }

  /** Its upstream signs what it did under the authorization of that moment, or of the request. */
  @ActivityInterface
  public interface Exports {
    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        evidence = EvidenceRule.ATTESTED,
        evidenceGeneration = EvidenceGeneration.LIVE,
        whenUnknown = WhenUnknown.FAIL)
    String live(@OperationKey String key, @BoundTo BindingRef mandate);

    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        evidence = EvidenceRule.ATTESTED,
        whenUnknown = WhenUnknown.FAIL)
    String reserved(@OperationKey String key, @BoundTo BindingRef mandate);
  }

  /** Sends to one upstream. */
  static final class ExportsImpl implements Exports {
    private final HttpUpstream upstream;

    ExportsImpl(HttpUpstream upstream) {
      this.upstream = upstream;
    }

    @Override
    public String live(String key, BindingRef mandate) {
      return key.startsWith("two") ? sendTwo() : send();
    }

    @Override
    public String reserved(String key, BindingRef mandate) {
      return send();
    }

    private String sendTwo() {
      FencedEffect.current().send("upload", HttpUpstream.client(), upstream.post());
      return new String(
          FencedEffect.current().send("publish", HttpUpstream.client(), upstream.post()).body(),
          UTF_8);
    }

    private String send() {
      var response = FencedEffect.current().send(HttpUpstream.client(), upstream.post());
      return new String(response.body(), UTF_8);
    }
  }

  /** Calls one of them under the binding as it is. */
  @WorkflowInterface
  public interface Calls {
    @WorkflowMethod
    String call(String key, String binding, boolean live);
  }

  /** The workflow. */
  public static final class CallsImpl implements Calls {
    private final Exports exports =
        Workflow.newActivityStub(
            Exports.class,
            ActivityOptions.newBuilder()
                .setStartToCloseTimeout(Duration.ofSeconds(30))
                .setRetryOptions(RetryOptions.newBuilder().setMaximumAttempts(1).build())
                .build());

    @Override
    public String call(String key, String binding, boolean live) {
      BindingRef mandate = FencedActivities.currentBinding(binding);
      return live ? exports.live(key, mandate) : exports.reserved(key, mandate);
    }
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void where_the_live_generation_is_the_rule_it_completes() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(rotating("live-mandate", "1"))) {
      start(upstream);

      assertThat(call("done", "live-mandate", true)).isEqualTo("a document");

      assertThat(state("Live:done")).isEqualTo("completed, 0 open, generation 0");
      assertThat(observations("Live:done"))
          .containsExactly("succeeded recorded live_generation generation 1");
      assertThat(call("done-after", "live-mandate", true)).isEqualTo("a document");
    }
  }

  @Test
  void there_the_generation_of_the_request_is_set_aside_by_name() throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(rotating("stale-mandate", "0"))) {
      start(upstream);

      ApplicationFailure failure = Failures.of(() -> call("stale", "stale-mandate", true));

      assertThat(causes(failure)).contains("BindingSuperseded");
      assertThat(state("Live:stale")).isEqualTo("unknown, 1 open, generation 0");
      assertThat(observations("Live:stale"))
          .containsExactly(
              "succeeded quarantined null generation 0",
              "timed_out demoted quarantined generation 0");
      assertThat(warnings).hasSize(1);
    }
  }

  @Test
  void of_two_dispatches_both_must_carry_it() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpUpstream.Answer both = rotating("two-mandate", "1");
    HttpUpstream.Answer before = SigningUpstream.signing(SIGNER, 201, BODY);
    HttpUpstream.Answer after = rotating("two-other", "1");
    try (HttpUpstream upstream =
        HttpUpstream.answering(
            exchange -> {
              switch (asked.incrementAndGet()) {
                case 1, 2 -> both.write(exchange);
                case 3 -> before.write(exchange);
                default -> after.write(exchange);
              }
            })) {
      start(upstream);

      assertThat(call("two-both", "two-mandate", true)).isEqualTo("a document");
      assertThat(causes(Failures.of(() -> call("two-halves", "two-other", true))))
          .contains("BindingSuperseded");
      assertThat(state("Live:two-halves")).isEqualTo("unknown, 1 open, generation 0");
    }
  }

  @Test
  void where_the_reservations_is_the_rule_it_is_quarantined_and_its_attempt_stays_open()
      throws IOException {
    try (HttpUpstream upstream = HttpUpstream.answering(rotating("reserved-mandate", "1"))) {
      start(upstream);

      ApplicationFailure failure = Failures.of(() -> call("other", "reserved-mandate", false));

      assertThat(causes(failure)).contains("other_generation");
      assertThat(state("Reserved:other")).isEqualTo("unknown, 1 open, generation 0");
      assertThat(observations("Reserved:other"))
          .containsExactly(
              "succeeded quarantined null generation 1",
              "timed_out demoted other_generation generation 0");
      assertThat(warnings).hasSize(1);
    }
  }

  @Test
  void a_desk_for_deliveries_refuses_the_live_generation() {
    Holdfast.Builder builder =
        Holdfast.newBuilder(ledger.dataSource()).addEvidenceVerifier(Exports.class, VERIFIER);

    assertThatThrownBy(
            () -> builder.buildDeliveries(Exports.class, DefaultDataConverter.STANDARD_INSTANCE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("names no binding");
  }

  private HttpUpstream.Answer rotating(String binding, String signed) {
    return exchange -> {
      Map<String, String> fields = SigningUpstream.asked(exchange);
      if ("0".equals(fields.get("Holdfast-Generation"))) {
        rotate(binding);
        fields.put("Holdfast-Generation", signed);
      }
      SigningUpstream.send(exchange, 201, BODY, SIGNER.answer(201, fields, BODY, Instant.now()));
    };
  }

  private void rotate(String binding) {
    Scope scope = new Scope("default");
    BindingName name = new BindingName(binding);
    if (beside.currentBinding(scope, name).value() > 0) {
      return;
    }
    assertThat(
            beside
                .acts()
                .rotate(
                    new Rotation(
                        ActId.random(),
                        scope,
                        name,
                        beside.currentBinding(scope, name),
                        "ann",
                        "renewed",
                        false)))
        .isInstanceOf(RotateOutcome.Rotated.class);
  }

  private void start(HttpUpstream upstream) {
    WorkerFactory factory =
        bed.factory(
            WorkerFactoryOptions.newBuilder()
                .setPlugins(
                    Holdfast.newBuilder(ledger.dataSource())
                        .setLease(WorkerBed.LEASE)
                        .addEvidenceVerifier(Exports.class, VERIFIER)
                        .setQuarantineListener(warnings::add)
                        .build())
                .build());
    Worker worker = factory.newWorker(WorkerBed.QUEUE);
    worker.registerWorkflowImplementationTypes(CallsImpl.class);
    worker.registerActivitiesImplementations(new ExportsImpl(upstream));
    factory.start();
  }

  private String call(String key, String binding, boolean live) {
    return bed.workflow(Calls.class).call(key, binding, live);
  }

  private String state(String operation) {
    return ledger
        .sql()
        .select(OPERATION.STATE, OPERATION.OPEN_ATTEMPTS, OPERATION.GENERATION)
        .from(OPERATION)
        .where(OPERATION.OPERATION_ID.eq(operation))
        .fetchSingle(
            row -> row.value1() + ", " + row.value2() + " open, generation " + row.value3());
  }

  private List<String> observations(String operation) {
    return ledger
        .sql()
        .selectFrom(OBSERVATION)
        .where(OBSERVATION.OPERATION_ID.eq(operation))
        .orderBy(OBSERVATION.OBSERVATION_NUMBER)
        .fetch(
            row ->
                "%s %s %s generation %d"
                    .formatted(
                        row.get(OBSERVATION.KIND),
                        row.get(OBSERVATION.DISPOSITION),
                        row.get(OBSERVATION.REASON),
                        row.get(OBSERVATION.GENERATION)));
  }

  private static String causes(ApplicationFailure failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      all.append(cause.getMessage()).append('\n');
    }
    return all.toString();
  }
}
