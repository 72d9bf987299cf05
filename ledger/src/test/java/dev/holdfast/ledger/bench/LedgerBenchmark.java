package dev.holdfast.ledger.bench;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ReleasePermit;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * One caller: claim and settle of distinct fresh operations, against two single-row commits over
 * the same pool, which is what intent and outcome cost whoever keeps them. Rounds alternate, so
 * that both see the same machine; the releases are off the caller's path: they run between rounds,
 * because on two cores they would take the caller's.
 */
public final class LedgerBenchmark {
  private static final int WARM_UP_ROUNDS = 30;
  private static final int ROUNDS = 20;
  private static final int OPERATIONS = 100;
  private static final byte[] BODY =
      "{\"document\":\"8d0c1f\",\"pages\":12}".getBytes(StandardCharsets.UTF_8);

  private final Ledger ledger;
  private final DataSource pool;
  private final Queue<ReleasePermit> permits = new ArrayDeque<>();

  private LedgerBenchmark(Ledger ledger, DataSource pool) {
    this.ledger = ledger;
    this.pool = pool;
  }

  /** Prints one line for the floor and one for the ledger. */
  public static void main(String[] arguments) throws Exception {
    try (EmbeddedLedger embedded = EmbeddedLedger.fresh()) {
      embedded.sql().execute("create table floor (id uuid primary key, body bytea not null)");
      DataSource pool = embedded.pool(1);
      Ledger ledger = JooqLedger.open(pool, LedgerOptions.standard());
      new LedgerBenchmark(ledger, pool).run();
    }
  }

  private void run() throws Exception {
    rounds(WARM_UP_ROUNDS, new Timings(), new Timings());
    Timings floor = new Timings();
    Timings unbatched = new Timings();
    rounds(ROUNDS, floor, unbatched);
    System.out.println(floor.line("floor"));
    System.out.println(
        unbatched.line("holdfast-unbatched")
            + String.format(
                Locale.ROOT,
                " ratio=%.2f",
                unbatched.percentileMillis(50) / floor.percentileMillis(50)));
  }

  private void rounds(int rounds, Timings floor, Timings unbatched) throws Exception {
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < OPERATIONS; i++) {
        floor.time(this::twoCommits);
      }
      for (int i = 0; i < OPERATIONS; i++) {
        ClaimRequest request = fresh();
        unbatched.time(() -> claimAndSettle(request));
      }
      releaseAll();
    }
  }

  private void twoCommits() throws SQLException {
    commitOneRow();
    commitOneRow();
  }

  private void commitOneRow() throws SQLException {
    try (Connection connection = pool.getConnection();
        PreparedStatement insert =
            connection.prepareStatement("insert into holdfast.floor values (?, ?)")) {
      insert.setObject(1, UUID.randomUUID());
      insert.setBytes(2, BODY);
      insert.executeUpdate();
    }
  }

  private void claimAndSettle(ClaimRequest request) {
    if (!(ledger.claim(request) instanceof Claim.Granted granted)) {
      throw new IllegalStateException("a fresh operation was not granted");
    }
    SettleOutcome outcome =
        ledger.settle(granted.lease().dispatch(), response(), new StoredResult.Value(BODY));
    if (!(outcome instanceof SettleOutcome.Committed committed)) {
      throw new IllegalStateException("a live lease was not settled: " + outcome);
    }
    permits.add(committed.permit());
  }

  private void releaseAll() {
    for (ReleasePermit permit = permits.poll(); permit != null; permit = permits.poll()) {
      if (!(ledger.release(permit) instanceof ReleaseOutcome.Released)) {
        throw new IllegalStateException("a committed receipt did not release its lease");
      }
    }
  }

  private static VerifiedResponse response() {
    UpstreamResponse response =
        new UpstreamResponse(200, true, BODY, List.of(), new EffectId("hf1-benchmark"));
    return switch (response.verify(UpstreamResponse.DigestRule.OPTIONAL)) {
      case Verification.Verified verified -> verified.response();
      case Verification.Unverified unverified ->
          throw new IllegalStateException(unverified.reason());
    };
  }

  private static ClaimRequest fresh() {
    OperationId operation = new OperationId("export", UUID.randomUUID().toString());
    Reservation reservation =
        new Reservation(
            new Scope("benchmark"),
            operation,
            new RequestFingerprint("fp1", Sha256.of(BODY)),
            new Generation(0),
            ResourceId.of(operation));
    return new ClaimRequest(
        reservation,
        ClaimId.random(),
        new WorkerName("benchmark"),
        new AttemptOrigin("default", "workflow", UUID.randomUUID().toString(), "activity", 1),
        Duration.ofSeconds(30),
        Duration.ofMinutes(5),
        Duration.ofSeconds(10),
        LeaseMargin.STANDARD,
        new OpenAttemptRule.SameKeyAgain(
            Duration.ofHours(24), Duration.ofMinutes(1), new OpenAttemptRule.ParkWhileOpen()),
        SettlementPolicy.STANDARD,
        List.of());
  }
}
