package dev.holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.JavaSnippet.CompileError;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The barrier's order is one of types: each wrong order stands beside the right one it differs
 * from.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class WrongOrdersDoNotCompileTest {
  private static final String WRONG_ARGUMENT = "compiler.err.prob.found.req";
  private static final String HIDDEN = "compiler.err.not.def.public.cant.access";
  private static final String NO_SUCH_METHOD = "compiler.err.cant.resolve.location.args";
  private static final String FORGOTTEN_CASE = "compiler.err.not.exhaustive";

  /**
   * Two snippets that differ in the line of the error alone.
   *
   * @param rest what both begin with
   */
  record Order(String name, String rest, String right, String wrong, String code) {
    String inRightOrder() {
      return rest + right + "\n";
    }

    String inWrongOrder() {
      return rest + wrong + "\n";
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static final String CLAIMED =
      """
      if (!(ledger.claim(request) instanceof Claim.Granted granted)) { return; }
      """;
  private static final String DISPATCHED =
      CLAIMED
          + """
          Lease lease = granted.lease().dispatch();
          """;
  private static final String COMMITTED =
      DISPATCHED
          + """
          SettleOutcome settled = ledger.settle(lease, verified(answer), result);
          if (!(settled instanceof SettleOutcome.Committed committed)) { return; }
          """;

  private static final String ASKING =
      """
      if (!(ledger.claim(request) instanceof Claim.Reconcile asked)) { return; }
      """;
  private static final String MAY_DISPATCH =
      """
      ReconcileOutcome outcome =
          ledger.reconcile(asked.lease(), new Finding.DidNotHappen(Finding.Finality.FENCED));
      if (!(outcome instanceof ReconcileOutcome.MayDispatch may)) { return; }
      """;

  static Stream<Order> orders() {
    return Stream.of(
        new Order(
            "release without a permit",
            COMMITTED,
            "ledger.release(committed.permit());",
            "ledger.release(lease);",
            WRONG_ARGUMENT),
        new Order(
            "release with the receipt alone",
            COMMITTED,
            "ledger.release(committed.permit());",
            "ledger.release(committed.receipt());",
            WRONG_ARGUMENT),
        new Order(
            "a permit made by hand",
            COMMITTED,
            "ReleasePermit permit = committed.permit();",
            "ReleasePermit permit = new ReleasePermit(committed.receipt(), lease.margin(), null,"
                + " 0, false);",
            HIDDEN),
        new Order(
            "settle before the dispatch",
            DISPATCHED,
            "ledger.settle(lease, verified(answer), result);",
            "ledger.settle(granted.lease(), verified(answer), result);",
            WRONG_ARGUMENT),
        new Order(
            "settle a response that was not verified",
            DISPATCHED,
            "ledger.settle(lease, verified(answer), result);",
            "ledger.settle(lease, answer, result);",
            WRONG_ARGUMENT),
        new Order(
            "a verified response made by hand",
            DISPATCHED,
            "VerifiedResponse response = verified(answer);",
            "VerifiedResponse response = new VerifiedResponse(200, Sha256.of(answer.body()),"
                + " answer.effect(), EvidenceGrade.WITNESSED, null);",
            HIDDEN),
        new Order(
            "record the end of an attempt before its dispatch",
            DISPATCHED,
            "ledger.end(lease, new AttemptEnd.Refused(429));",
            "ledger.end(granted.lease(), new AttemptEnd.Refused(429));",
            WRONG_ARGUMENT),
        new Order(
            "abandon after the dispatch",
            CLAIMED,
            "ledger.abandon(granted.lease());",
            "ledger.abandon(granted.lease().dispatch());",
            WRONG_ARGUMENT),
        new Order(
            "dispatch before asking",
            ASKING + MAY_DISPATCH,
            "Lease lease = may.lease().dispatch();",
            "Lease lease = asked.lease().dispatch();",
            NO_SUCH_METHOD),
        new Order(
            "settle under a lease that asks",
            ASKING + MAY_DISPATCH,
            "ledger.settle(may.lease().dispatch(), verified(answer), result);",
            "ledger.settle(asked.lease(), verified(answer), result);",
            WRONG_ARGUMENT),
        new Order(
            "abandon a lease that asks",
            ASKING + MAY_DISPATCH,
            "ledger.abandon(may.lease());",
            "ledger.abandon(asked.lease());",
            WRONG_ARGUMENT),
        new Order(
            "dispatch what was not granted",
            CLAIMED,
            "Lease lease = granted.lease().dispatch();",
            "Lease lease = new Lease(null, null, null);",
            HIDDEN));
  }

  static Stream<Order> forgottenCases() {
    return Stream.of(
        new Order(
            "a claim",
            "String word = switch (ledger.claim(request)) { case Claim.Granted it -> \"\"; case"
                + " Claim.Replay it -> \"\"; case Claim.Busy it -> \"\"; case Claim.Rejected it ->"
                + " \"\"; case Claim.AlreadyFailed it -> \"\"; case Claim.Parked it -> \"\"; case"
                + " Claim.Reconcile it -> \"\"; case Claim.GateClosed it -> \"\"; case"
                + " Claim.Superseded it -> \"\"; case Claim.Contended it -> \"\"; ",
            "case Claim.Conflicted it -> \"\"; };",
            "};",
            FORGOTTEN_CASE),
        new Order(
            "a finding",
            "Finding found = new Finding.NotKnownYet(\"r\"); String word = switch (found) { case"
                + " Finding.Happened it -> \"\"; case Finding.DidNotHappen it -> \"\"; case"
                + " Finding.NotKnownYet it -> \"\"; ",
            "case Finding.OnlyAPersonCanTell it -> \"\"; };",
            "};",
            FORGOTTEN_CASE),
        new Order(
            "what a finding leads to",
            "String word = switch (ledger.reconcile(null, null)) { case ReconcileOutcome.Settled it"
                + " -> \"\"; case ReconcileOutcome.MayDispatch it -> \"\"; case"
                + " ReconcileOutcome.NotFinalYet it -> \"\"; case ReconcileOutcome.Parked it ->"
                + " \"\"; case ReconcileOutcome.ClaimAgain it -> \"\"; case"
                + " ReconcileOutcome.GivenBack it -> \"\"; case ReconcileOutcome.MarginTooThin it"
                + " -> \"\"; case ReconcileOutcome.Contended it -> \"\"; ",
            "case ReconcileOutcome.Lost it -> \"\"; };",
            "};",
            FORGOTTEN_CASE),
        new Order(
            "a settlement",
            "String word = switch (ledger.settle(null, verified(answer), result)) { case"
                + " SettleOutcome.Committed it -> \"\"; case SettleOutcome.Preempted it -> \"\";"
                + " case SettleOutcome.LeaseExpired it -> \"\"; case SettleOutcome.Quarantined it"
                + " -> \"\"; case SettleOutcome.AlreadySettled it -> \"\"; case"
                + " SettleOutcome.Contended it -> \"\"; ",
            "case SettleOutcome.MarginTooThin it -> \"\"; };",
            "};",
            FORGOTTEN_CASE),
        new Order(
            "a verdict",
            "Verdict verdict = new Verdict.Receipt(); String word = switch (verdict) {"
                + " case Verdict.Receipt it -> \"\"; case Verdict.Failure it -> \"\";"
                + " case Verdict.Pending it -> \"\"; case Verdict.Closed it -> \"\";"
                + " case Verdict.Demoted it -> \"\"; case Verdict.Quarantined it -> \"\";"
                + " case Verdict.Recorded it -> \"\"; case Verdict.RenewFirst it -> \"\"; ",
            "case Verdict.Conflicted it -> \"\"; };",
            "};",
            FORGOTTEN_CASE),
        new Order(
            "an observation",
            "Observation seen = new Observation.Refused(null); String word = switch (seen) {"
                + " case Observation.Succeeded it -> \"\"; case Observation.Failed it -> \"\";"
                + " case Observation.InProgress it -> \"\"; case Observation.TimedOut it -> \"\";"
                + " case Observation.LeaseExpired it -> \"\"; ",
            "case Observation.Refused it -> \"\"; };",
            "};",
            FORGOTTEN_CASE));
  }

  @ParameterizedTest
  @MethodSource("orders")
  void a_wrong_order_is_the_compilers_to_refuse(Order order) {
    assertThat(JavaSnippet.compile(order.inRightOrder())).isEmpty();

    assertThat(JavaSnippet.compile(order.inWrongOrder()))
        .containsExactly(new CompileError(order.inWrongOrder().lines().count(), order.code()));
  }

  @ParameterizedTest
  @MethodSource("forgottenCases")
  void a_switch_that_forgets_a_case_is_the_compilers_to_refuse(Order order) {
    assertThat(JavaSnippet.compile(order.inRightOrder())).isEmpty();

    assertThat(JavaSnippet.compile(order.inWrongOrder()))
        .isEqualTo(List.of(new CompileError(1, order.code())));
  }
}
