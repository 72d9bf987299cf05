package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.SettlementBed.response;
import static dev.holdfast.ledger.jooq.SettlementBed.result;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.PayloadPolicy;
import dev.holdfast.ledger.settlement.SettlementPolicy.TerminalPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Success and failure of one tuple are reported from two connections at once. */
@Tag("race")
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TwoTerminalsRaceTest {
  /** Fewer where the same statements race on a second server. */
  private static final int ROUNDS = Integer.getInteger("race.rounds", 10_000);

  /** Pairs of connections that race beside each other: one waits for the disk, another works. */
  private static final int PAIRS = 4;

  private static final Duration LEASE = Duration.ofHours(1);

  private final SettlementBed bed;

  TwoTerminalsRaceTest(EmbeddedLedger ledger) {
    this.bed = new SettlementBed(ledger, ledger.pool(2 * PAIRS));
  }

  @AfterEach
  void restoreTheClock() {
    bed.close();
  }

  // case C7
  @ParameterizedTest
  @EnumSource(TerminalPolicy.class)
  void there_is_one_answer_by_policy_whoever_comes_first(TerminalPolicy policy) throws Exception {
    SettlementPolicy policies = new SettlementPolicy(PayloadPolicy.CONFLICT, policy);
    List<Lease> leases = claimed("terminals-" + policy.name(), policies);

    List<Future<?>> pairs = new ArrayList<>();
    for (int i = 0; i < PAIRS; i++) {
      int pair = i;
      pairs.add(Contenders.background(() -> raced(leases, pair)));
    }
    for (Future<?> pair : pairs) {
      pair.get();
    }

    assertThat(outcomes("export:terminals-" + policy.name() + "-%"))
        .containsOnlyKeys(
            switch (policy) {
              // each way round, and whoever came second is on record
              case CONFLICT ->
                  List.of(
                      "conflict +2, receipts 1, observations 1",
                      "conflict +2, receipts 0, observations 2");
              case FIRST_COMMIT_WINS ->
                  List.of(
                      "completed +1, receipts 1, observations 1",
                      "failed +1, receipts 0, observations 2");
            })
        .satisfies(
            counts ->
                assertThat(counts.values().stream().mapToInt(n -> n).sum()).isEqualTo(ROUNDS));
  }

  private List<?> raced(List<Lease> leases, int pair) throws Exception {
    return Contenders.<Object>race(
        2,
        ROUNDS / PAIRS,
        (contender, round) -> {
          Lease lease = leases.get(round * PAIRS + pair);
          return contender == round % 2
              ? bed.jooq.settle(lease, response("effect-1"), result("effect-1"))
              : bed.jooq.end(lease, ResolverBed.FAILED);
        });
  }

  /** One claim, and as many operations that bear the same one: made by a single statement. */
  private List<Lease> claimed(String key, SettlementPolicy policies) {
    ClaimRequest first =
        on(Rows.reservation(key), SettlementBed.request(Rows.reservation(key), policies));
    Lease held = bed.claim(first);
    bed.ledger
        .sql()
        .execute(
            """
            insert into operation (scope, operation_id, resource_id, fingerprint_scheme,
              fingerprint_sha256, generation, epoch, state, revision, open_attempts,
              pending_evidence, fencing_token, claim_id, worker, expires_at, released, namespace,
              attempt_number, claimed_at, first_claimed_at, dispatch_deadline_at, horizon_at)
            select scope, operation_id || '-' || n, operation_id || '-' || n, fingerprint_scheme,
              fingerprint_sha256, generation, epoch, state, revision, open_attempts,
              pending_evidence, fencing_token, claim_id, worker, expires_at, released, namespace, attempt_number, claimed_at, first_claimed_at,
              dispatch_deadline_at, horizon_at
            from operation, generate_series(0, ?) n where operation_id = ?
            """,
            ROUNDS - 1,
            first.reservation().operation().text());
    List<Lease> leases = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      leases.add(bed.leaseOf(on(numbered(first.reservation(), round), first), held));
    }
    return leases;
  }

  private static Reservation numbered(Reservation first, int round) {
    OperationId operation = OperationId.parse(first.operation().text() + "-" + round);
    return new Reservation(
        first.scope(),
        operation,
        first.fingerprint(),
        first.generation(),
        ResourceId.of(operation));
  }

  /** For longer than all rounds take. */
  private static ClaimRequest on(Reservation reservation, ClaimRequest first) {
    return new ClaimRequest(
        reservation,
        first.claimId(),
        first.worker(),
        first.origin(),
        LEASE,
        LEASE,
        first.inFlight(),
        first.margin(),
        first.rule(),
        first.policy(),
        first.gates());
  }

  /** How many operations ended in which way: state, revisions since the claim, rows. */
  private Map<String, Integer> outcomes(String operations) {
    return bed.ledger
        .sql()
        .fetch(
            """
            select outcome, count(*)::int as operations from (
              select state || ' +' || (revision - 1) || ', receipts '
                || (select count(*) from receipt r where r.operation_id = o.operation_id)
                || ', observations '
                || (select count(*) from observation s where s.operation_id = o.operation_id)
                || case when open_attempts + pending_evidence > 0 then ', not closed' else '' end
                as outcome
              from operation o where operation_id like ?) as each_one
            group by outcome
            """,
            operations)
        .intoMap(row -> row.get(0, String.class), row -> row.get(1, Integer.class));
  }
}
