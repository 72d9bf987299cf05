package dev.holdfast.activities;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static dev.holdfast.UpstreamContract.VERIFIABLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.HoldfastFailures;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.OperationRows;
import dev.holdfast.activities.bed.UntypedWorkflow;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.activities.evidence.Attestation;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.activity.ActivityInterface;
import io.temporal.failure.ApplicationFailure;
import io.temporal.worker.WorkerFactoryOptions;
import io.temporal.worker.WorkerPlugin;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who is asked about which effect is settled when the worker starts, or it does not start. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReconcilersTest {
  private final EmbeddedLedger ledger;
  private final OperationRows rows;
  private final WorkerBed bed = new WorkerBed();

  ReconcilersTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.rows = new OperationRows(ledger);
  }

  @AfterEach
  void close() {
    bed.close();
  }

  /** One that must be asked, one that may be. */
  @ActivityInterface
  public interface Shares {
    @Fenced(upstream = VERIFIABLE, inFlight = "PT5S", operation = "Effect")
    String share(@OperationKey String key);

    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
    Integer count(@OperationKey String key);
  }

  /** No horizon could ever pass. */
  @ActivityInterface
  public interface Endless {
    @Fenced(upstream = VERIFIABLE)
    String endless(@OperationKey String key);
  }

  /** Two that must be asked. */
  @ActivityInterface
  public interface TwoShares {
    @Fenced(upstream = VERIFIABLE, inFlight = "PT5S")
    String one(@OperationKey String key);

    @Fenced(upstream = VERIFIABLE, inFlight = "PT5S")
    String other(@OperationKey String key);
  }

  static class SharesImpl implements Shares {
    @Override
    public String share(String key) {
      return key;
    }

    @Override
    public Integer count(String key) {
      return 1;
    }
  }

  /** Its own reconciler. */
  static final class AskableImpl extends SharesImpl implements Reconciles<String> {
    @Override
    public Reconciled<String> reconcile(Inquiry inquiry) {
      return Reconciled.stillUnknown("test");
    }
  }

  private record EndlessAlone() implements Endless {
    @Override
    public String endless(String key) {
      return key;
    }
  }

  private record TwoSharesImpl() implements TwoShares {
    @Override
    public String one(String key) {
      return key;
    }

    @Override
    public String other(String key) {
      return key;
    }
  }

  private static class Numbers implements Reconciles<Integer> {
    @Override
    public Reconciled<Integer> reconcile(Inquiry inquiry) {
      return Reconciled.stillUnknown("test");
    }
  }

  private static final class Misnamed extends Numbers {
    @Override
    public Set<String> activityTypes() {
      return Set.of("Shrae");
    }
  }

  private static final class Fencing implements Reconciles<String> {
    @Override
    public Reconciled<String> reconcile(Inquiry inquiry) {
      return Reconciled.stillUnknown("test");
    }

    @Override
    public boolean upstreamFences() {
      return true;
    }
  }

  private static Reconciles<String> texts() {
    return inquiry -> Reconciled.stillUnknown("test");
  }

  private Holdfast.Builder plugin() {
    return Holdfast.newBuilder(ledger.dataSource()).setLease(WorkerBed.LEASE);
  }

  private void refused(Holdfast.Builder plugin, Object activity, String... words) {
    assertThatThrownBy(() -> bed.start(plugin.build(), activity))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("this worker cannot start")
        .hasMessageContainingAll(words);
  }

  @Test
  void a_method_that_must_be_asked_about_needs_somebody_to_ask() {
    refused(plugin(), new SharesImpl(), "share", "VERIFIABLE", "addReconciler");
  }

  @Test
  void the_implementation_itself_will_do() {
    bed.start(plugin().build(), new AskableImpl());
  }

  @Test
  void so_will_one_that_the_plugin_is_given() {
    bed.start(plugin().addReconciler(Shares.class, texts()).build(), new SharesImpl());
  }

  @Test
  void a_key_that_may_be_forgotten_may_be_asked_about_too() {
    bed.start(
        plugin()
            .addReconciler(Shares.class, new Fencing())
            .addReconciler(Shares.class, new Numbers())
            .build(),
        new SharesImpl());
  }

  @Test
  void two_for_one_method_are_refused() {
    refused(
        plugin().addReconciler(Shares.class, new Fencing()),
        new AskableImpl(),
        "Share",
        "two reconcilers");
  }

  @Test
  void one_for_two_methods_must_name_them() {
    refused(plugin().addReconciler(TwoShares.class, texts()), new TwoSharesImpl(), "activityTypes");
  }

  @Test
  void one_that_gives_another_result_fits_no_method() {
    refused(
        plugin().addReconciler(TwoShares.class, new Numbers()),
        new TwoSharesImpl(),
        "Numbers",
        "fits no method");
  }

  @Test
  void one_that_names_an_unknown_activity_is_refused() {
    refused(
        plugin().addReconciler(Shares.class, new Misnamed()),
        new AskableImpl(),
        "Shrae",
        "Misnamed");
  }

  @Test
  void one_for_an_activity_that_nobody_registered_is_warned_of() {
    WorkerPlugin plugin = plugin().addReconciler(Endless.class, new Fencing()).build();

    assertThat(logged(() -> startTwice(plugin)))
        .containsOnlyOnce("is for no activity that is registered so far")
        .contains("Fencing", "Endless");
  }

  @Test
  void a_verifier_that_no_registered_method_needs_is_warned_of_alike() {
    WorkerPlugin plugin =
        plugin()
            .addEvidenceVerifier(Endless.class, noEvidence())
            .addEvidenceVerifier(Shares.class, noEvidence())
            .build();

    assertThat(logged(() -> startTwice(plugin)))
        .containsOnlyOnce("the evidence verifier for " + Endless.class.getName())
        .containsOnlyOnce("the evidence verifier for " + Shares.class.getName())
        .contains("verifies nothing");
  }

  @Test
  void a_verifier_that_is_needed_is_not_warned_of() {
    WorkerPlugin plugin = plugin().addEvidenceVerifier(Signed.class, noEvidence()).build();

    assertThat(logged(() -> bed.start(plugin, new SignedImpl())))
        .doesNotContain("evidence verifier");
  }

  /** Its upstream must sign. */
  @ActivityInterface
  public interface Signed {
    @Fenced(
        upstream = HONOURS_KEY,
        keyHorizon = "PT24H",
        evidence = EvidenceRule.ATTESTED,
        operation = "Signed")
    String sign(@OperationKey String key);
  }

  private record SignedImpl() implements Signed {
    @Override
    public String sign(String key) {
      return key;
    }
  }

  private static EvidenceVerifier noEvidence() {
    return message -> new Attestation.Refused(Refusal.UNSIGNED);
  }

  private void startTwice(WorkerPlugin plugin) {
    bed.start(plugin, new AskableImpl());
    bed.start(plugin, new AskableImpl());
  }

  private static String logged(Runnable work) {
    PrintStream stderr = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      work.run();
    } finally {
      System.setErr(stderr);
    }
    return logged.toString(StandardCharsets.UTF_8);
  }

  @Test
  void one_plugin_may_serve_two_factories_that_register_a_part_each() {
    WorkerPlugin shared =
        plugin()
            .addReconciler(Shares.class, texts())
            .addReconciler(Endless.class, new Fencing())
            .build();

    bed.start(shared, new SharesImpl());
    bed.start(shared, new EndlessAlone());
  }

  @Test
  void a_worker_of_workflows_alone_may_be_given_one() {
    bed.start(plugin().addReconciler(Endless.class, new Fencing()).build());
  }

  @Test
  void without_a_horizon_or_a_fence_no_answer_could_ever_be_final() {
    refused(
        plugin().addReconciler(Endless.class, texts()),
        new EndlessAlone(),
        "endless",
        "inFlight",
        "upstreamFences");
    bed.start(plugin().addReconciler(Endless.class, new Fencing()).build(), new EndlessAlone());
  }

  @Test
  void where_nothing_was_checked_at_the_start_the_first_call_is_refused_before_the_claim() {
    WorkerFactoryOptions.Builder options = WorkerFactoryOptions.newBuilder();
    // the interceptors alone, as if the bridge had not linked
    plugin().build().configureWorkerFactory(options);
    bed.start(options.build(), new SharesImpl());

    ApplicationFailure failure =
        Failures.of(() -> bed.workflow(UntypedWorkflow.class).call("Share", "unchecked", "x", 3));

    assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE);
    assertThat(failure.getOriginalMessage()).contains("addReconciler");
    assertThat(rows.state("unchecked")).isEqualTo("none");
  }
}
