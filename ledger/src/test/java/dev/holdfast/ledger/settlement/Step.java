package dev.holdfast.ledger.settlement;

import dev.holdfast.ledger.settlement.Example.Part;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;

/** One thing that may happen to an operation. */
sealed interface Step {
  /** Attempts count from 1; this observer holds no claim. */
  int NOBODY = 0;

  /** What happens without an observation. */
  enum Event implements Step {
    CLAIM,
    RUN_OUT,
    GROW_THIN
  }

  /** An observation, reported by an attempt. */
  record Report(int attempt, Observation seen) implements Step {
    boolean matches() {
      return seen.tuple().equals(Example.TUPLE);
    }

    boolean isDefinite() {
      return seen instanceof Observation.Definite;
    }

    @Override
    public String toString() {
      String who = attempt == NOBODY ? "nobody" : "attempt " + attempt;
      String what =
          seen instanceof Observation.Succeeded success
              ? " succeeded with " + success.effect().value()
              : " " + seen.word();
      return who + what + (matches() ? "" : " elsewhere");
    }
  }

  /** All that is tried: every kind, by an older and a newer attempt and by nobody. */
  static List<Step> alphabet() {
    return Stream.of(events(), definite(), provisional(), mismatches())
        .flatMap(List::stream)
        .toList();
  }

  static List<Step> events() {
    return List.of(Event.values());
  }

  static List<Step> definite() {
    return List.of(
        new Report(1, Example.succeeded(1, 1)),
        new Report(1, Example.failed(1)),
        new Report(1, Example.refused()),
        new Report(2, Example.succeeded(1, 2)),
        new Report(2, Example.succeeded(2, 2)),
        new Report(2, Example.failed(2)),
        new Report(2, Example.refused()),
        new Report(NOBODY, Example.succeeded(1, 1)),
        new Report(NOBODY, Example.failed(1)));
  }

  static List<Step> provisional() {
    return List.of(
        new Report(1, Example.timedOut()),
        new Report(2, Example.timedOut()),
        new Report(NOBODY, Example.leaseExpired()),
        new Report(NOBODY, Example.atWork()));
  }

  private static List<Step> mismatches() {
    return List.of(
        new Report(
            1,
            new Observation.Succeeded(
                otherwise(Part.GENERATION), Example.effect(1), Example.attempt(1))),
        new Report(
            NOBODY,
            new Observation.Succeeded(
                otherwise(Part.FINGERPRINT), Example.effect(2), Example.attempt(2))),
        new Report(2, new Observation.Failed(otherwise(Part.EPOCH), Example.attempt(2))),
        new Report(NOBODY, new Observation.LeaseExpired(otherwise(Part.SCOPE))),
        new Report(NOBODY, new Observation.InProgress(otherwise(Part.OPERATION))));
  }

  private static Tuple otherwise(Part part) {
    return Example.differingIn(EnumSet.of(part));
  }
}
