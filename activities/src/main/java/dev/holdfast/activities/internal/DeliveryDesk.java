package dev.holdfast.activities.internal;

import dev.holdfast.EvidenceGeneration;
import dev.holdfast.UpstreamContract;
import dev.holdfast.activities.Delivered;
import dev.holdfast.activities.DeliveryReader;
import dev.holdfast.activities.evidence.Attestation;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.AttendRequest;
import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.OperationView;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.workflows.internal.FencedMethod;
import dev.holdfast.workflows.internal.FencedMethods;
import io.temporal.common.converter.DataConverter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Takes in what an upstream sends by itself: verifies it, stores it, has it picked up. */
public final class DeliveryDesk {
  /** Not of an activity. */
  private static final AttemptOrigin DELIVERED = new AttemptOrigin("delivery", null, null, null, 1);

  private final Ledger ledger;
  private final Map<String, FencedMethod> methods;
  private final EvidenceVerifier verifier;
  private final WorkerName worker;
  private final DataConverter converter;
  private final UnbelievedMessages unbelieved;

  private DeliveryDesk(
      Ledger ledger,
      Map<String, FencedMethod> methods,
      EvidenceVerifier verifier,
      HoldfastSettings settings,
      DataConverter converter) {
    this.ledger = ledger;
    this.methods = methods;
    this.verifier = verifier;
    this.worker = settings.worker();
    this.converter = converter;
    this.unbelieved = new UnbelievedMessages(ledger, settings.counters());
  }

  /**
   * A desk for the effects of one activity interface.
   *
   * @throws IllegalArgumentException its methods have no evidence verifier or two, or none is
   *     fenced
   */
  public static DeliveryDesk open(
      Ledger ledger,
      Class<?> activityInterface,
      HoldfastSettings settings,
      DataConverter converter) {
    Map<String, FencedMethod> methods =
        FencedMethods.ofClass(activityInterface).values().stream()
            .filter(method -> method.upstream() != UpstreamContract.SAME_TRANSACTION)
            .collect(Collectors.toMap(FencedMethod::operationType, Function.identity()));
    if (methods.isEmpty()) {
      throw new IllegalArgumentException(
          activityInterface.getName() + " has no fenced method whose upstream could send anything");
    }
    methods.values().forEach(method -> refuseLive(activityInterface, method));
    return new DeliveryDesk(
        ledger, methods, verifier(activityInterface, settings), settings, converter);
  }

  /**
   * A delivery names the operation and the generation, and nobody tells which binding that is of.
   */
  private static void refuseLive(Class<?> activityInterface, FencedMethod method) {
    if (method.evidenceGeneration() == EvidenceGeneration.LIVE) {
      throw new IllegalArgumentException(
          activityInterface.getName()
              + "."
              + method.method().getName()
              + " takes evidence of its binding's live generation alone (evidenceGeneration ="
              + " LIVE), and a delivery names no binding");
    }
  }

  private static EvidenceVerifier verifier(Class<?> activityInterface, HoldfastSettings settings) {
    List<EvidenceVerifier> given =
        settings.verifiers().stream()
            .filter(one -> one.activityInterface() == activityInterface)
            .map(RegisteredVerifier::verifier)
            .toList();
    return switch (given.size()) {
      case 0 ->
          throw new IllegalArgumentException(
              "nobody can verify what the upstream of "
                  + activityInterface.getName()
                  + " signs: give the builder a verifier (addEvidenceVerifier)");
      case 1 -> given.getFirst();
      default ->
          throw new IllegalArgumentException(
              activityInterface.getName() + " has two evidence verifiers: leave one of them out");
    };
  }

  /** Takes in one message. */
  public Delivered accept(SignedMessage message, DeliveryReader<?> reader) {
    return switch (verifier.verify(message)) {
      case Attestation.Refused(Refusal reason) -> refused(claimed(message), reason, message.body());
      case Attestation.Attested attested -> {
        Delivered delivered = accept(attested, message.body(), reader);
        yield delivered instanceof Delivered.NotBelieved(Refusal reason)
            ? refused(Optional.of(attested.effect().tuple()), reason, message.body())
            : delivered;
      }
    };
  }

  private Delivered refused(Optional<Tuple> claimed, Refusal reason, byte[] body) {
    unbelieved.add(claimed, reason, body);
    return new Delivered.NotBelieved(reason);
  }

  /** What nobody vouches for; a body says nothing before its signature was verified. */
  private static Optional<Tuple> claimed(SignedMessage message) {
    try {
      return Optional.of(EffectTuple.of(message::field).tuple());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Delivered accept(Attestation.Attested attested, byte[] body, DeliveryReader<?> reader) {
    EffectTuple effect = attested.effect();
    FencedMethod method = methods.get(effect.tuple().operation().type());
    if (method == null) {
      return new Delivered.NotBelieved(Refusal.OTHER_OPERATION);
    }
    // it speaks of one of several dispatches, and one receipt covers them all
    if (!effect.dispatch().isEmpty()) {
      return new Delivered.NotBelieved(Refusal.OTHER_DISPATCH);
    }
    if (HttpVerdict.of(attested.status()) != HttpVerdict.SUCCEEDED) {
      return new Delivered.NoSuccess(attested.status());
    }
    return effectId(method, effect.tuple(), reader.commitment(body))
        .map(id -> Witnessed.signed(attested.status(), body, id))
        .map(response -> store(method, effect.tuple(), response, reader.result(body)))
        .orElseGet(() -> new Delivered.NotBelieved(Refusal.NO_COMMITMENT));
  }

  private static Optional<EffectId> effectId(
      FencedMethod method, Tuple tuple, Optional<String> commitment) {
    return switch (method.upstream()) {
      case HONOURS_KEY -> Optional.of(new EffectId(UpstreamKeys.of(tuple).value()));
      case VERIFIABLE, OPAQUE -> commitment.map(EffectId::new);
      case SAME_TRANSACTION -> Optional.empty();
    };
  }

  private Delivered store(
      FencedMethod method, Tuple tuple, VerifiedResponse response, @Nullable Object result) {
    refuseForeign(method, result);
    SettlementPolicy policy = Vocabulary.policy(method.payloadPolicy(), method.terminalPolicy());
    AttestedSuccess success =
        new AttestedSuccess(
            tuple, response, new ResultCodec(converter, method.method()).keep(result), policy);
    return switch (ledger.attest(success)) {
      case AttestOutcome.Pending() -> pickUp(tuple, policy);
      case AttestOutcome.Settled(OperationView operation) -> settled(operation);
      case AttestOutcome.Quarantined() -> new Delivered.SetAside();
      case AttestOutcome.Absent() -> new Delivered.NobodysOperation();
      case AttestOutcome.Contended() -> new Delivered.TryAgain();
    };
  }

  /** Where that fails it stays stored, and the next claim picks it up. */
  private Delivered pickUp(Tuple tuple, SettlementPolicy policy) {
    return ledger
        .attend(
            new AttendRequest(
                tuple.scope(),
                tuple.operation(),
                tuple.fingerprint(),
                tuple.generation(),
                // a delivery parks nothing: whether a person is needed, the next claim says
                new OpenAttemptRule.RolledBack(),
                policy,
                worker,
                DELIVERED))
        .map(DeliveryDesk::settled)
        .orElseGet(Delivered.Stored::new);
  }

  private static Delivered settled(OperationView operation) {
    return switch (operation.state()) {
      case COMPLETED -> new Delivered.Completed();
      case CONFLICT -> new Delivered.Conflicting();
      case FAILED -> new Delivered.Recorded();
      case UNKNOWN, IN_PROGRESS -> new Delivered.Stored();
    };
  }

  private static void refuseForeign(FencedMethod method, @Nullable Object result) {
    if (!ResultTypes.fits(result, method.method())) {
      throw new IllegalArgumentException(
          "what was read is no result of "
              + method.method().getName()
              + ", which returns "
              + method.method().getReturnType().getSimpleName());
    }
  }
}
