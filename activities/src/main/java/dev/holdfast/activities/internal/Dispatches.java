package dev.holdfast.activities.internal;

import dev.holdfast.activities.internal.DispatchState.Dispatched;
import dev.holdfast.activities.internal.DispatchState.MethodAlone;
import dev.holdfast.activities.internal.DispatchState.PartlyDone;
import dev.holdfast.activities.internal.DispatchState.Rejected;
import dev.holdfast.activities.internal.DispatchState.Unanswered;
import dev.holdfast.activities.internal.DispatchState.Unverified;
import dev.holdfast.activities.internal.DispatchState.Verified;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.VerifiedResponse;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The dispatches of one attempt by name, in the order in which they began, and what they come to
 * together. Guarded by its scope.
 *
 * <p>One receipt stands for all of them, so together they are a success only where each of them is.
 * Where one did something and another did not, the whole is neither done nor not done.
 */
final class Dispatches {
  private final Map<DispatchName, Dispatched> byName = new LinkedHashMap<>();

  Set<DispatchName> names() {
    return Set.copyOf(byName.keySet());
  }

  /**
   * Refuses a name that was used.
   *
   * @throws IllegalStateException it was
   */
  void refuseUsed(DispatchName name) {
    if (byName.containsKey(name)) {
      throw new IllegalStateException(
          name.equals(DispatchName.ONLY)
              ? "an attempt dispatches once; this is its second dispatch: give it a name, as in"
                  + " send(\"upload\", client, request), so that it gets a key of its own"
              : "each dispatch of an activity needs a name of its own; this one was used already");
    }
  }

  void begin(DispatchName name, Lease lease) {
    byName.put(name, new Unanswered(lease));
  }

  /**
   * Keeps what came of a dispatch.
   *
   * @throws IllegalStateException that was kept already, or nothing was dispatched
   */
  void keep(DispatchName name, Dispatched answer) {
    if (!(byName.get(name) instanceof Unanswered)) {
      throw new IllegalStateException(
          byName.containsKey(name)
              ? "the answer of this dispatch was kept already"
              : "nothing was dispatched");
    }
    byName.put(name, answer);
  }

  /** Keeps that a dispatch could not begin any more while others had: the effect stays a part. */
  void tooLate(DispatchName name, Lease lease, String reason) {
    byName.put(name, new Unverified(lease, reason));
  }

  /** What they come to, under the lease that they began under. */
  Dispatched combined(Lease lease) {
    if (byName.size() <= 1) {
      return byName.values().stream().findFirst().orElseGet(() -> new MethodAlone(lease));
    }
    if (byName.values().stream().allMatch(Verified.class::isInstance)) {
      return verified(lease);
    }
    return unclear()
        .<Dispatched>map(reason -> new PartlyDone(lease, reason))
        .or(() -> first(Rejected.class))
        .orElseGet(() -> List.copyOf(byName.values()).getLast());
  }

  /** Why it is unclear what was done; empty where surely nothing was. */
  private Optional<String> unclear() {
    return first(Unverified.class)
        .map(Unverified::reason)
        .or(() -> first(Unanswered.class).map(unanswered -> DispatchState.NO_ANSWER))
        .or(() -> first(Verified.class).map(verified -> besideEffect()));
  }

  private String besideEffect() {
    return first(Rejected.class).isPresent()
        ? DispatchState.REJECTED_BESIDE_EFFECT
        : DispatchState.REFUSED_BESIDE_EFFECT;
  }

  private <D extends Dispatched> Optional<D> first(Class<D> kind) {
    return byName.values().stream().filter(kind::isInstance).map(kind::cast).findFirst();
  }

  /** Status and effect are the last one's; the digest covers the names and digests of all. */
  private Verified verified(Lease lease) {
    ByteArrayOutputStream fields = new ByteArrayOutputStream();
    byName.forEach(
        (name, one) -> {
          add(fields, name.value());
          add(fields, response(one).digest().hex());
        });
    VerifiedResponse last = response(List.copyOf(byName.values()).getLast());
    return new Verified(lease, together(last, fields.toByteArray()), true);
  }

  private VerifiedResponse together(VerifiedResponse last, byte[] fields) {
    boolean signed =
        byName.values().stream().allMatch(one -> response(one).grade() == EvidenceGrade.ATTESTED);
    return signed
        ? Witnessed.signed(last.status(), fields, last.effect(), oldest())
        : Witnessed.response(last.status(), fields, last.effect());
  }

  /**
   * One receipt covers them all, so that the oldest generation that one of them carries is theirs;
   * null where that is the one they were requested under.
   */
  private @Nullable Generation oldest() {
    boolean allRotated =
        byName.values().stream().allMatch(one -> response(one).signedGeneration() != null);
    return allRotated
        ? byName.values().stream()
            .flatMap(one -> Stream.ofNullable(response(one).signedGeneration()))
            .min(Comparator.comparingLong(Generation::value))
            .orElseThrow()
        : null;
  }

  private static VerifiedResponse response(Dispatched one) {
    return ((Verified) one).response();
  }

  private static void add(ByteArrayOutputStream fields, String field) {
    byte[] bytes = field.getBytes(StandardCharsets.UTF_8);
    fields.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
    fields.writeBytes(bytes);
  }
}
