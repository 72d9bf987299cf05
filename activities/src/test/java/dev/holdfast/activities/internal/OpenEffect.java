package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.FencedEffect;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Issuer;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.RequestFingerprint;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.Scope;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.workflows.internal.FencedMethod;
import dev.holdfast.workflows.internal.FencedMethods;
import io.temporal.activity.ActivityInterface;
import io.temporal.common.converter.GlobalDataConverter;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The effect of an attempt that holds a lease, as the barrier opens it. */
final class OpenEffect {
  static final long TOKEN = 1_700_000_000_001L;
  static final String KEY = "S3CR3T-7f key";

  /** Activities whose effects are opened by name. */
  @ActivityInterface
  interface Activities {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H")
    String export(@OperationKey String id);

    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT24H", inFlight = "PT0.3S")
    String hurriedExport(@OperationKey String id);

    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        evidence = EvidenceRule.ATTESTED)
    String signedExport(@OperationKey String id);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    String book(@OperationKey String id);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    int bookSeats(@OperationKey String id);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    void bookSilently(@OperationKey String id);

    @Fenced(upstream = UpstreamContract.SAME_TRANSACTION)
    Object bookAnything(@OperationKey String id);
  }

  private final EffectScope scope;

  private OpenEffect(EffectScope scope) {
    this.scope = scope;
  }

  static OpenEffect of(String activity) {
    return of(activity, neverAsked(), Lent.lease(Duration.ofMinutes(1)));
  }

  static OpenEffect leasedFor(Duration rest) {
    return of("export", neverAsked(), Lent.lease(rest));
  }

  /**
   * An effect of an attempt after the first one, whose key has that long to go before its slack.
   */
  static OpenEffect again(String activity, Duration keyRest) {
    LocalDeadline lastDispatch = LocalDeadline.after(System.nanoTime(), keyRest);
    return of(activity, neverAsked(), Lent.lease(Duration.ofMinutes(1), lastDispatch));
  }

  /** An effect whose upstream must sign. */
  static OpenEffect attested(EvidenceVerifier verifier) {
    return of("signedExport", neverAsked(), Lent.lease(Duration.ofMinutes(1)), verifier);
  }

  static OpenEffect of(String activity, Ledger ledger, UndispatchedLease lease) {
    return of(activity, ledger, lease, null);
  }

  private static OpenEffect of(
      String activity,
      Ledger ledger,
      UndispatchedLease lease,
      @Nullable EvidenceVerifier verifier) {
    FencedMethod method = method(activity);
    LocalDeadline activityEnd = LocalDeadline.after(System.nanoTime(), Duration.ofMinutes(2));
    return new OpenEffect(
        new EffectScope(
            ledger,
            method,
            lease,
            new KeptLease(lease, new LeaseMargin(Duration.ZERO), activityEnd, activityEnd),
            activityEnd,
            new ResultCodec(GlobalDataConverter.get(), method.method()),
            Attesting.of(method, verifier)));
  }

  static FencedMethod method(String activity) {
    Method method =
        Arrays.stream(Activities.class.getMethods())
            .filter(m -> m.getName().equals(activity))
            .findFirst()
            .orElseThrow();
    return FencedMethods.ofInterfaceMethod(activity, method).orElseThrow();
  }

  static Reservation reservation(Scope scope, OperationId operation) {
    return new Reservation(
        scope,
        operation,
        new RequestFingerprint("fp1", Sha256.ofUtf8("request")),
        new Generation(1),
        ResourceId.of(operation));
  }

  /** Runs this as the activity, on this thread; what it throws comes out. */
  <T extends @Nullable Object> T run(Function<FencedEffect, T> activity) {
    return scope.around(() -> activity.apply(FencedEffect.current()));
  }

  /** The keeper finds that the lease is gone. */
  void lose() {
    scope.lease().missed();
    scope.lease().missed();
  }

  DispatchState state() {
    return scope.state();
  }

  EffectScope scope() {
    return scope;
  }

  /** A dispatch over the network has no business with the ledger. */
  private static Ledger neverAsked() {
    return (Ledger)
        Proxy.newProxyInstance(
            Ledger.class.getClassLoader(),
            new Class<?>[] {Ledger.class},
            (proxy, method, arguments) -> {
              throw new AssertionError("the ledger was asked: " + method.getName());
            });
  }

  /** What one attempt claims. */
  static ClaimRequest claim(String key, Duration leaseFor, Duration margin, OpenAttemptRule rule) {
    return new ClaimRequest(
        reservation(new Scope("default"), new OperationId("effect", key)),
        ClaimId.random(),
        new WorkerName("test"),
        new AttemptOrigin("default", null, null, null, 1),
        leaseFor,
        leaseFor,
        Duration.ZERO,
        new LeaseMargin(margin),
        rule,
        new SettlementPolicy(
            SettlementPolicy.PayloadPolicy.CONFLICT, SettlementPolicy.TerminalPolicy.CONFLICT),
        List.of());
  }

  /** A lease as a claim would have granted it. */
  private static final class Lent extends Issuer {
    static UndispatchedLease lease(Duration rest) {
      return lease(rest, null);
    }

    static UndispatchedLease lease(Duration rest, @Nullable LocalDeadline lastDispatch) {
      return lease(
          claim(
              KEY,
              Duration.ofMinutes(1),
              Duration.ZERO,
              new OpenAttemptRule.SameKeyAgain(
                  Duration.ofHours(1), Duration.ZERO, new OpenAttemptRule.ParkWhileOpen())),
          new Epoch(0),
          new Revision(1),
          new FencingToken(TOKEN),
          LocalDeadline.after(System.nanoTime(), rest),
          lastDispatch);
    }
  }
}
