package dev.holdfast.ledger.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import dev.holdfast.ledger.settlement.SimulatedOperation.Rules;
import dev.holdfast.ledger.testbed.SeenReport;
import dev.holdfast.ledger.testbed.SeenReport.Kind;
import dev.holdfast.ledger.testbed.SeenResult;
import dev.holdfast.ledger.testbed.SeenSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Random sets of reports, each in every order, against what the requirement says of them. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class OrderIndependenceTest {
  private static final long SEED = Long.getLong("order.seed", 20_261_201L);
  private static final int SETS = 1_000;

  @Test
  void under_the_conflict_policies_no_order_makes_a_difference() {
    Map<SeenResult.Word, Integer> met = new EnumMap<>(SeenResult.Word.class);
    AtomicLong orders = new AtomicLong();
    for (int number = 0; number < SETS; number++) {
      SeenSet seen = set(number);
      SeenResult expected = SeenResult.ofSet(seen);
      met.merge(expected.word(), 1, Integer::sum);
      seen.everyOrder(
          order -> {
            orders.incrementAndGet();
            check(number(seen), seen, order, SettlementPolicy.STANDARD, expected);
          });
    }
    System.out.printf("ORDERS seed=%d sets=%d orders=%s results=%s%n", SEED, SETS, orders, met);
    assertThat(met).hasSize(SeenResult.Word.values().length);
    assertThat(orders.get()).isGreaterThan(SETS * 100L);
  }

  @Test
  void where_the_first_commit_wins_the_order_of_commits_decides_and_nothing_else() {
    AtomicLong differed = new AtomicLong();
    for (PayloadPolicy payload : PayloadPolicy.values()) {
      for (TerminalPolicy terminal : TerminalPolicy.values()) {
        SettlementPolicy policy = new SettlementPolicy(payload, terminal);
        for (int number = 0; number < SETS; number++) {
          SeenSet seen = set(number);
          SeenResult ofSet = SeenResult.ofSet(seen);
          seen.everyOrder(
              order -> {
                SeenResult expected = SeenResult.ofOrder(seen, order, policy);
                if (!expected.equals(ofSet)) {
                  differed.incrementAndGet();
                }
                check(number(seen), seen, order, policy, expected);
              });
        }
      }
    }
    // or else the policies were not put to the test
    assertThat(differed.get()).isPositive();
  }

  private static SeenSet set(int number) {
    return SeenSet.random(new Random(SEED + number));
  }

  private static String number(SeenSet seen) {
    return "seed " + SEED + ", " + seen;
  }

  private static void check(
      String origin,
      SeenSet seen,
      List<SeenReport> order,
      SettlementPolicy policy,
      SeenResult expected) {
    SimulatedOperation end = concluded(seen, after(seen, order, policy));
    SeenResult result = result(end);
    if (!result.equals(expected)) {
      throw new AssertionError(
          "%s under %s in the order %s: %s instead of %s"
              .formatted(origin, policy, order, result, expected));
    }
  }

  private static SimulatedOperation after(
      SeenSet seen, List<SeenReport> order, SettlementPolicy policy) {
    SimulatedOperation operation = SimulatedOperation.claimed(new Rules(policy, false));
    for (int claims = 1; claims < seen.attempts(); claims++) {
      operation = operation.after(Step.Event.RUN_OUT).after(Step.Event.CLAIM);
    }
    operation = seen.live() ? operation : operation.after(Step.Event.RUN_OUT);
    for (SeenReport report : order) {
      operation = after(seen, operation, report);
    }
    return operation;
  }

  private static SimulatedOperation after(
      SeenSet seen, SimulatedOperation operation, SeenReport report) {
    // a holder that cannot tell gives its lease up in that very transaction
    boolean givesUp = report.kind() == Kind.UNCLEAR && report.attempt() == seen.attempts();
    SimulatedOperation left = givesUp ? runOut(operation) : operation;
    return left.after(
        new Step.Report(report.isOwn() ? report.attempt() : Step.NOBODY, observation(report)));
  }

  private static Observation observation(SeenReport report) {
    return switch (report.kind()) {
      case SUCCEEDED, WITNESSED -> Example.succeeded(report.effect(), report.attempt());
      case FAILED -> Example.failed(report.attempt());
      case REFUSED -> Example.refused();
      case UNCLEAR, TIMED_OUT -> Example.timedOut();
      case LEASE_EXPIRED -> Example.leaseExpired();
      case AT_WORK -> Example.atWork();
      case STALE ->
          new Observation.Succeeded(
              Example.differingIn(EnumSet.of(Example.Part.GENERATION)),
              Example.effect(report.effect()),
              Example.attempt(report.attempt()));
    };
  }

  /** Everybody stops, the lease runs out, and one fresh attempt comes. */
  private static SimulatedOperation concluded(SeenSet seen, SimulatedOperation operation) {
    SimulatedOperation stopped = runOut(operation);
    if (!stopped.isClaimable()) {
      return stopped;
    }
    SimulatedOperation claimed = stopped.after(Step.Event.CLAIM);
    return seen.isRejected() && claimed.lease() == LeaseStanding.LIVE
        ? claimed.after(new Step.Report(claimed.claims(), Example.failed(claimed.claims())))
        : claimed;
  }

  private static SimulatedOperation runOut(SimulatedOperation operation) {
    return operation.allows(Step.Event.RUN_OUT) ? operation.after(Step.Event.RUN_OUT) : operation;
  }

  private static SeenResult result(SimulatedOperation end) {
    return switch (end.state()) {
      case COMPLETED -> new SeenResult(SeenResult.Word.COMPLETED, settledEffect(end));
      case CONFLICT -> new SeenResult(SeenResult.Word.CONFLICT, 0);
      case FAILED -> new SeenResult(SeenResult.Word.FAILED, 0);
      case UNKNOWN, IN_PROGRESS -> new SeenResult(SeenResult.Word.RETRYABLE, 0);
    };
  }

  private static int settledEffect(SimulatedOperation end) {
    SettledEffect settled = end.settled();
    for (int effect = 0; settled != null && effect < 20; effect++) {
      if (settled.effect().equals(Example.effect(effect))) {
        return effect;
      }
    }
    throw new AssertionError("completed with no known effect: " + end);
  }
}
