package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Completion;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.Rows;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A caller's side of one operation, with terms that a test may change. Immutable. */
record Asking(
    Reservation reservation,
    Duration lease,
    LeaseMargin margin,
    OpenAttemptRule rule,
    List<Completion> gates) {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final Duration KEY_HORIZON = Duration.ofHours(24);
  static final StoredResult RESULT =
      new StoredResult.Value("result".getBytes(StandardCharsets.UTF_8));

  /** For an operation that is its own lease. */
  static Asking about(String key) {
    return about(Rows.reservation(key));
  }

  /** For an operation on a resource that others take too. */
  static Asking about(String key, ResourceId shared) {
    return about(Rows.reservation(key, shared));
  }

  private static Asking about(Reservation reservation) {
    return new Asking(
        reservation,
        LEASE,
        LeaseMargin.STANDARD,
        new OpenAttemptRule.SameKeyAgain(
            KEY_HORIZON, Duration.ofMinutes(1), new OpenAttemptRule.ParkWhileOpen()),
        List.of());
  }

  Asking withFingerprintOf(String request) {
    return with(
        new Reservation(
            reservation.scope(),
            reservation.operation(),
            new RequestFingerprint("fp1", Sha256.ofUtf8(request)),
            reservation.generation(),
            reservation.resource()));
  }

  Asking withScheme(String scheme) {
    return with(
        new Reservation(
            reservation.scope(),
            reservation.operation(),
            new RequestFingerprint(scheme, reservation.fingerprint().digest()),
            reservation.generation(),
            reservation.resource()));
  }

  Asking inGeneration(long generation) {
    return with(
        new Reservation(
            reservation.scope(),
            reservation.operation(),
            reservation.fingerprint(),
            new Generation(generation),
            reservation.resource()));
  }

  Asking on(ResourceId resource) {
    return with(
        new Reservation(
            reservation.scope(),
            reservation.operation(),
            reservation.fingerprint(),
            reservation.generation(),
            resource));
  }

  private Asking with(Reservation other) {
    return new Asking(other, lease, margin, rule, gates);
  }

  Asking leasing(Duration other) {
    return new Asking(reservation, other, margin, rule, gates);
  }

  Asking under(OpenAttemptRule other) {
    return new Asking(reservation, lease, margin, other, gates);
  }

  Asking keeping(Duration other) {
    return new Asking(reservation, lease, new LeaseMargin(other), rule, gates);
  }

  Asking behind(Completion... required) {
    return new Asking(reservation, lease, margin, rule, List.of(required));
  }

  ClaimRequest request() {
    return new ClaimRequest(
        reservation,
        ClaimId.random(),
        new WorkerName("worker-2"),
        new AttemptOrigin("default", "workflow", "run", "activity", 1),
        lease,
        lease.multipliedBy(2),
        Duration.ofSeconds(10),
        margin,
        rule,
        SettlementPolicy.STANDARD,
        gates);
  }

  /** What the workflow's side asks for. */
  AttendRequest attendance() {
    return new AttendRequest(
        reservation.scope(),
        reservation.operation(),
        reservation.fingerprint(),
        reservation.generation(),
        rule,
        SettlementPolicy.STANDARD,
        new WorkerName("worker-3"),
        new AttemptOrigin("default", "workflow", "run", null, 0));
  }

  /** The operation as it stands once it was looked after. */
  OperationView attended(Ledger ledger) {
    return ledger.attend(attendance()).orElseThrow();
  }

  Claim claim(Ledger ledger) {
    return ledger.claim(request());
  }

  /** The lease of a claim that must be granted. */
  UndispatchedLease granted(Ledger ledger) {
    Claim claim = claim(ledger);
    if (claim instanceof Claim.Granted granted) {
      return granted.lease();
    }
    throw new AssertionError("not granted: " + claim);
  }

  Lease dispatched(Ledger ledger) {
    return granted(ledger).dispatch();
  }

  /** The outcome of a claim and settlement that must both succeed. */
  SettleOutcome.Committed committed(Ledger ledger) {
    return committed(ledger, dispatched(ledger));
  }

  static SettleOutcome.Committed committed(Ledger ledger, Lease lease) {
    SettleOutcome outcome = ledger.settle(lease, response(), RESULT);
    if (outcome instanceof SettleOutcome.Committed committed) {
      return committed;
    }
    throw new AssertionError("not committed: " + outcome);
  }

  /** What an honest upstream answers. */
  static VerifiedResponse response() {
    return response("done");
  }

  static VerifiedResponse response(String body) {
    UpstreamResponse response =
        new UpstreamResponse(
            200, true, body.getBytes(StandardCharsets.UTF_8), List.of(), new EffectId("effect"));
    return switch (response.verify(UpstreamResponse.DigestRule.OPTIONAL)) {
      case Verification.Verified verified -> verified.response();
      case Verification.Unverified unverified -> throw new AssertionError(unverified.reason());
    };
  }
}
