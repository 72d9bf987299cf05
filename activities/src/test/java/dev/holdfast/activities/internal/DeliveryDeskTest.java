package dev.holdfast.activities.internal;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;
import static dev.holdfast.UpstreamContract.SAME_TRANSACTION;
import static dev.holdfast.UpstreamContract.VERIFIABLE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import dev.holdfast.activities.AttestedDeliveries;
import dev.holdfast.activities.Delivered;
import dev.holdfast.activities.DeliveryReader;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.bed.RivalHolder;
import dev.holdfast.activities.evidence.EffectTuple;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.MessageSignatureVerifier;
import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.activities.evidence.Signer;
import dev.holdfast.activities.evidence.VerificationKey;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import io.temporal.activity.ActivityInterface;
import io.temporal.common.converter.GlobalDataConverter;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an upstream sends by itself meets keys that change and holders that settle. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DeliveryDeskTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final byte[] BODY = "a document".getBytes(UTF_8);
  private static final Signer FORMER = Signer.ed25519("2025");
  private static final Signer SIGNER = Signer.ed25519("2026");
  private static final DeliveryReader<String> TEXT = body -> new String(body, UTF_8);

  private final EmbeddedLedger ledger;
  private final JooqLedger jooq;
  private final AtomicReference<EvidenceVerifier> verifier =
      new AtomicReference<>(trusting(SIGNER.key()));

  DeliveryDeskTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.jooq = JooqLedger.open(ledger.pool(4), LedgerOptions.standard());
  }

  /** Its upstream keeps keys. */
  @ActivityInterface
  public interface Keyed {
    @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H", operation = "export")
    String export(@OperationKey String key);
  }

  /** Its upstream gives effects ids of its own. */
  @ActivityInterface
  public interface Asked {
    @Fenced(upstream = VERIFIABLE, inFlight = "PT2S", operation = "export")
    String ask(@OperationKey String key);
  }

  /** It has no upstream. */
  @ActivityInterface
  public interface Booked {
    @Fenced(upstream = SAME_TRANSACTION)
    String book(@OperationKey String key);
  }

  private static EvidenceVerifier trusting(VerificationKey... keys) {
    return MessageSignatureVerifier.of(List.of(keys), Clock.systemUTC());
  }

  private AttestedDeliveries deliveries(Class<?> type) {
    return Holdfast.newBuilder(ledger.dataSource())
        .addEvidenceVerifier(type, message -> verifier.get().verify(message))
        .buildDeliveries(type, GlobalDataConverter.get());
  }

  private static Reservation fresh() {
    return Rows.reservation(UUID.randomUUID().toString());
  }

  /** Given up, nobody knows how it ended. */
  private Reservation unknown() {
    Reservation reservation = fresh();
    Rows.of(ledger).unknown(reservation).insert();
    return reservation;
  }

  private static Tuple tuple(Reservation of) {
    return Tuple.of(of, new Epoch(0));
  }

  private static SignedMessage signed(Signer by, Reservation of) {
    Map<String, String> fields =
        by.delivery(201, new EffectTuple(tuple(of), "").fields(), BODY, Instant.now());
    return SignedMessage.request(
        "POST",
        URI.create("https://worker.example/hook"),
        fields.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, field -> List.of(field.getValue()))),
        BODY);
  }

  private StoredOperation stored(Reservation of) {
    return StoredOperation.of(ledger, of);
  }

  @Test
  void keys_are_rotated_by_name_while_deliveries_come() {
    AttestedDeliveries deliveries = deliveries(Keyed.class);
    Reservation early = unknown();
    Reservation late = unknown();
    verifier.set(trusting(FORMER.key()));
    assertThat(deliveries.accept(signed(FORMER, early), TEXT)).isEqualTo(new Delivered.Completed());
    assertThat(deliveries.accept(signed(SIGNER, late), TEXT))
        .isEqualTo(new Delivered.NotBelieved(Refusal.UNKNOWN_KEY));

    verifier.set(trusting(FORMER.key(), SIGNER.key()));
    assertThat(deliveries.accept(signed(SIGNER, early), TEXT)).isEqualTo(new Delivered.Completed());

    verifier.set(trusting(FORMER.key().retiredAt(Instant.now()), SIGNER.key()));
    assertThat(deliveries.accept(signed(FORMER, late), TEXT))
        .isEqualTo(new Delivered.NotBelieved(Refusal.RETIRED_KEY));
    assertThat(deliveries.accept(signed(SIGNER, late), TEXT)).isEqualTo(new Delivered.Completed());

    LedgerAssert.assertThat(stored(early)).hasReceipts(1).hasObservations("succeeded pending");
    LedgerAssert.assertThat(stored(late))
        .hasReceipts(1)
        .hasObservations("timed_out recorded", "timed_out recorded", "succeeded pending");
  }

  @Test
  void a_delivery_under_way_is_judged_by_the_keys_that_it_found() throws Exception {
    AttestedDeliveries deliveries = deliveries(Keyed.class);
    EvidenceVerifier before = trusting(FORMER.key());
    EvidenceVerifier after = trusting(SIGNER.key());
    List<Reservation> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      Reservation one = unknown();
      all.add(one);
      verifier.set(before);
      List<Delivered> answers =
          atOnce(
              () -> deliveries.accept(signed(FORMER, one), TEXT),
              () -> deliveries.accept(signed(SIGNER, one), TEXT),
              () -> {
                verifier.set(after);
                return new Delivered.Stored();
              });
      assertThat(answers)
          .isSubsetOf(
              new Delivered.Completed(),
              new Delivered.Stored(),
              new Delivered.TryAgain(),
              new Delivered.NotBelieved(Refusal.UNKNOWN_KEY));
      assertThat(deliveries.accept(signed(SIGNER, one), TEXT)).isEqualTo(new Delivered.Completed());
    }
    all.forEach(one -> LedgerAssert.assertThat(stored(one)).hasReceipts(1).hasPendingEvidence(0));
  }

  @Test
  void before_a_holders_own_settlement_and_after_it_there_is_one_receipt() {
    AttestedDeliveries deliveries = deliveries(Keyed.class);
    Reservation reservation = fresh();
    Lease holder = dispatched(reservation);

    assertThat(deliveries.accept(signed(SIGNER, reservation), TEXT))
        .isEqualTo(new Delivered.Stored());
    assertThat(deliveries.accept(signed(SIGNER, reservation), TEXT))
        .isEqualTo(new Delivered.Stored());
    assertThat(settle(holder)).isInstanceOf(SettleOutcome.Committed.class);
    assertThat(deliveries.accept(signed(SIGNER, reservation), TEXT))
        .isEqualTo(new Delivered.Completed());

    LedgerAssert.assertThat(stored(reservation))
        .isInState(OperationState.COMPLETED)
        .hasReceipts(1)
        .hasPendingEvidence(0);
  }

  @Test
  void while_the_holder_settles_there_is_one_receipt_whoever_is_first() throws Exception {
    AttestedDeliveries deliveries = deliveries(Keyed.class);
    for (int i = 0; i < 30; i++) {
      Reservation reservation = fresh();
      Lease holder = dispatched(reservation);

      List<Object> answers =
          atOnce(
              () -> settle(holder),
              () -> deliveries.accept(signed(SIGNER, reservation), TEXT),
              () -> deliveries.accept(signed(SIGNER, reservation), TEXT));

      assertThat(answers.getFirst()).isInstanceOf(SettleOutcome.Committed.class);
      assertThat(answers.subList(1, 3))
          .isSubsetOf(new Delivered.Stored(), new Delivered.Completed(), new Delivered.TryAgain());
      assertThat(deliveries.accept(signed(SIGNER, reservation), TEXT))
          .isEqualTo(new Delivered.Completed());
      LedgerAssert.assertThat(stored(reservation))
          .isInState(OperationState.COMPLETED)
          .hasReceipts(1)
          .hasPendingEvidence(0);
    }
  }

  @Test
  void where_it_came_first_a_holder_that_is_late_hears_of_the_receipt_and_adds_none() {
    AttestedDeliveries deliveries = deliveries(Keyed.class);
    Reservation reservation = fresh();
    Lease holder = dispatched(reservation);
    try (LedgerClock later = LedgerClock.of(ledger)) {
      later.shift(LEASE);
      assertThat(deliveries.accept(signed(SIGNER, reservation), TEXT))
          .isEqualTo(new Delivered.Completed());
      assertThat(settle(holder)).isInstanceOf(SettleOutcome.AlreadySettled.class);
    }

    LedgerAssert.assertThat(stored(reservation)).isInState(OperationState.COMPLETED).hasReceipts(1);
  }

  @Test
  void what_cannot_tell_which_effect_it_means_is_not_believed_and_kept_as_that() {
    Reservation reservation = unknown();

    assertThat(deliveries(Asked.class).accept(signed(SIGNER, reservation), TEXT))
        .isEqualTo(new Delivered.NotBelieved(Refusal.NO_COMMITMENT));
    LedgerAssert.assertThat(stored(reservation))
        .isInState(OperationState.UNKNOWN)
        .hasPendingEvidence(0)
        .hasObservations("timed_out recorded");

    assertThat(deliveries(Asked.class).accept(signed(SIGNER, reservation), new Named()))
        .isEqualTo(new Delivered.Completed());
    assertThat(jooq.read(reservation.scope(), reservation.operation()).orElseThrow().state())
        .isEqualTo(OperationState.COMPLETED);
  }

  /** Reads the upstream's own id of the effect. */
  private static final class Named implements DeliveryReader<String> {
    @Override
    public String result(byte[] body) {
      return new String(body, UTF_8);
    }

    @Override
    public Optional<String> commitment(byte[] body) {
      return Optional.of("charge-7");
    }
  }

  @Test
  void a_desk_needs_a_method_with_an_upstream_and_one_verifier() {
    assertThatThrownBy(() -> deliveries(Booked.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no fenced method whose upstream could send anything");
    assertThatThrownBy(
            () ->
                Holdfast.newBuilder(ledger.dataSource())
                    .addEvidenceVerifier(Keyed.class, verifier.get())
                    .addEvidenceVerifier(Keyed.class, verifier.get())
                    .buildDeliveries(Keyed.class, GlobalDataConverter.get()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("two evidence verifiers");
  }

  private Lease dispatched(Reservation reservation) {
    ClaimRequest request =
        new ClaimRequest(
            reservation,
            ClaimId.random(),
            new WorkerName("holder"),
            new AttemptOrigin("default", "holder", "run", "activity", 1),
            LEASE,
            LEASE,
            Duration.ofSeconds(1),
            LeaseMargin.STANDARD,
            new OpenAttemptRule.ParkWhileOpen(),
            SettlementPolicy.STANDARD,
            List.of());
    if (jooq.claim(request) instanceof Claim.Granted(var lease)) {
      return lease.dispatch();
    }
    throw new AssertionError("a fresh operation has no rival");
  }

  private SettleOutcome settle(Lease holder) {
    EffectId effect = new EffectId(UpstreamKeys.of(tuple(holder.reservation())).value());
    return jooq.settle(
        holder,
        Witnessed.signed(201, BODY, effect),
        new StoredResult.Value(RivalHolder.encoded("a document")));
  }

  @SafeVarargs
  private static <T> List<T> atOnce(Callable<? extends T>... work) throws Exception {
    CyclicBarrier start = new CyclicBarrier(work.length);
    List<T> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(work.length)) {
      List<Future<T>> running = new ArrayList<>();
      for (Callable<? extends T> one : work) {
        running.add(
            threads.submit(
                () -> {
                  start.await(60, TimeUnit.SECONDS);
                  return one.call();
                }));
      }
      for (Future<T> one : running) {
        answers.add(one.get(60, TimeUnit.SECONDS));
      }
    }
    return answers;
  }
}
