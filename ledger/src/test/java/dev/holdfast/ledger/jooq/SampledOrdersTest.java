package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.request;
import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.SeenReport;
import dev.holdfast.ledger.testbed.SeenReport.Kind;
import dev.holdfast.ledger.testbed.SeenResult;
import dev.holdfast.ledger.testbed.SeenSet;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What holds of the pure rules in every order holds on PostgreSQL in those that are sampled. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SampledOrdersTest {
  private static final long SEED = Long.getLong("order.seed", 20_261_202L);
  private static final int SETS = 40;
  private static final int ORDERS = 5;

  /** What workers can report; the others reach the ledger by no verb of theirs. */
  private static final List<Kind> KINDS =
      List.of(Kind.SUCCEEDED, Kind.FAILED, Kind.REFUSED, Kind.UNCLEAR, Kind.STALE);

  private final SettlementBed bed;

  SampledOrdersTest(EmbeddedLedger ledger) {
    this.bed = new SettlementBed(ledger);
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  @Test
  void under_the_conflict_policies_no_order_makes_a_difference() {
    Random random = new Random(SEED);
    for (int set = 0; set < SETS; set++) {
      SeenSet seen = SeenSet.random(random, KINDS);
      for (int i = 0; i < ORDERS; i++) {
        List<SeenReport> order = seen.someOrder(random);

        assertThat(resultOf(seen, order, SettlementPolicy.STANDARD))
            .as("seed %d, %s in the order %s", SEED, seen, order)
            .isEqualTo(SeenResult.ofSet(seen));
      }
    }
  }

  @Test
  void where_the_first_commit_wins_the_order_of_commits_decides() {
    Random random = new Random(SEED);
    int differed = 0;
    for (int set = 0; set < SETS; set++) {
      SeenSet seen = SeenSet.random(random, KINDS);
      List<SeenReport> order = seen.someOrder(random);
      SeenResult expected = SeenResult.ofOrder(seen, order, ResolverBed.FIRST_WINS);
      differed += expected.equals(SeenResult.ofSet(seen)) ? 0 : 1;

      assertThat(resultOf(seen, order, ResolverBed.FIRST_WINS))
          .as("seed %d, %s in the order %s", SEED, seen, order)
          .isEqualTo(expected);
    }
    assertThat(differed).isPositive();
  }

  @Test
  void a_history_full_of_lies_changes_no_decision() {
    Random random = new Random(SEED);
    for (int set = 0; set < SETS; set++) {
      SeenSet seen = SeenSet.random(random, KINDS);
      List<SeenReport> order = seen.someOrder(random);

      assertThat(resultOf(seen, order, SettlementPolicy.STANDARD, this::lie))
          .as("seed %d, %s in the order %s", SEED, seen, order)
          .isEqualTo(SeenResult.ofSet(seen));
    }
  }

  private void lie(Reservation operation) {
    assertThat(Lies.tell(bed.ledger, operation)).isGreaterThan(80);
  }

  private SeenResult resultOf(SeenSet seen, List<SeenReport> order, SettlementPolicy policy) {
    return resultOf(seen, order, policy, operation -> {});
  }

  private SeenResult resultOf(
      SeenSet seen,
      List<SeenReport> order,
      SettlementPolicy policy,
      Consumer<Reservation> meddling) {
    Reservation operation = SettlementBed.fresh();
    List<Lease> leases = new ArrayList<>();
    for (int attempt = 1; attempt <= seen.attempts(); attempt++) {
      leases.add(bed.claim(request(operation, policy)));
      if (attempt < seen.attempts() || !seen.live()) {
        endLease(operation);
      }
    }
    meddling.accept(operation);
    order.forEach(report -> tell(report, leases.get(report.attempt() - 1), policy));
    endLease(operation);
    Claim fresh = bed.jooq.claim(request(operation, policy));
    if (seen.isRejected() && fresh instanceof Claim.Granted granted) {
      bed.jooq.end(granted.lease().dispatch(), ResolverBed.FAILED);
    }
    return consistent(operation);
  }

  private void tell(SeenReport report, Lease lease, SettlementPolicy policy) {
    String effect = "effect-" + report.effect();
    switch (report.kind()) {
      case SUCCEEDED -> bed.jooq.settle(lease, response(effect), result(effect));
      case FAILED -> bed.jooq.end(lease, ResolverBed.FAILED);
      case REFUSED -> bed.jooq.end(lease, ResolverBed.REFUSED);
      case UNCLEAR -> bed.jooq.end(lease, ResolverBed.UNCLEAR);
      case STALE -> bed.jooq.settle(stale(lease, policy), response(effect), result(effect));
      case WITNESSED, TIMED_OUT, LEASE_EXPIRED, AT_WORK -> throw new AssertionError(report);
    }
  }

  /** The same claim, as if it had been made under another generation. */
  private Lease stale(Lease lease, SettlementPolicy policy) {
    Reservation own = lease.reservation();
    ClaimRequest request = request(own, policy);
    return bed.leaseOf(
        new ClaimRequest(
            new Reservation(
                own.scope(),
                own.operation(),
                own.fingerprint(),
                new Generation(own.generation().value() + 7),
                own.resource()),
            lease.claimId(),
            request.worker(),
            request.origin(),
            request.leaseFor(),
            request.dispatchWithin(),
            request.inFlight(),
            request.margin(),
            request.rule(),
            policy,
            List.of()),
        lease);
  }

  private void endLease(Reservation operation) {
    bed.ledger
        .sql()
        .update(OPERATION)
        .set(OPERATION.EXPIRES_AT, SettlementBed.SQL.clock().now())
        .where(OPERATION.OPERATION_ID.eq(operation.operation().text()))
        .and(OPERATION.STATE.eq("in_progress"))
        .execute();
  }

  private SeenResult consistent(Reservation operation) {
    StoredOperation stored = bed.stored(operation);
    LedgerAssert.assertThat(stored).hasOpenAttempts(bed.openAttempts(operation));
    OperationState state = OperationState.of(String.valueOf(stored.get(OPERATION.STATE)));
    assertThat(stored.receipts()).hasSizeLessThanOrEqualTo(1);
    return switch (state) {
      case COMPLETED -> {
        LedgerAssert.assertThat(stored).hasReceipts(1).hasPendingEvidence(0);
        String effect = String.valueOf(stored.get(OPERATION.EFFECT_ID));
        yield new SeenResult(
            SeenResult.Word.COMPLETED, Integer.parseInt(effect.replace("effect-", "")));
      }
      case CONFLICT -> new SeenResult(SeenResult.Word.CONFLICT, 0);
      case FAILED -> new SeenResult(SeenResult.Word.FAILED, 0);
      case UNKNOWN, IN_PROGRESS -> new SeenResult(SeenResult.Word.RETRYABLE, 0);
    };
  }
}
