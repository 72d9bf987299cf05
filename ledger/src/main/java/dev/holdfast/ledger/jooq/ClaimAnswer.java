package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Claim.GateReason;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Generation;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.settlement.OperationState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one claim statement answered.
 *
 * @param grant present where the row was taken
 * @param seen the row before; null where there was none
 * @param heldFor what is left of somebody's lease on the operation or its resource; null where
 *     there is none
 * @param gates as judged, in the order of the request
 * @param binding the current generation of the binding that the request names; null where it names
 *     none
 */
record ClaimAnswer(
    @Nullable Grant grant,
    @Nullable SeenOperation seen,
    @Nullable Duration heldFor,
    List<Gate> gates,
    @Nullable Generation binding) {

  /**
   * The row as taken.
   *
   * @param keyLeft how long the upstream surely still knows the key of the oldest open attempt
   * @param olderAttempts how many are open besides its own
   */
  record Grant(
      FencingToken token, Revision revision, Epoch epoch, Duration keyLeft, int olderAttempts) {}

  /** One required completion; the reason is null where the gate is open. */
  record Gate(@Nullable GateReason closed) {}

  static ClaimAnswer read(AnswerRow row, List<GateTerms> terms, boolean bound) throws SQLException {
    boolean granted = row.has(ClaimStatement.GRANTED_TOKEN);
    List<Gate> gates = new ArrayList<>();
    for (GateTerms gate : terms) {
      gates.add(granted ? locked(row, gate) : seen(row, gate));
    }
    SeenOperation seen = row.has(OPERATION.STATE) ? SeenOperation.read(row) : null;
    return new ClaimAnswer(
        granted ? grant(row) : null,
        seen,
        seen != null && seen.isLive() ? seen.leaseLeft() : null,
        gates,
        bound ? BoundTerms.read(row) : null);
  }

  /** Refused before the operation's own row was asked for. */
  static ClaimAnswer refused(
      @Nullable SeenOperation seen, @Nullable Duration heldFor, @Nullable Generation binding) {
    return new ClaimAnswer(null, seen, heldFor, List.of(), binding);
  }

  /** The same without the grant, which was rolled back, under a resource that is free. */
  ClaimAnswer rolledBack() {
    return new ClaimAnswer(null, seen, null, gates, binding);
  }

  /** The first closed gate. */
  Optional<Claim> closedGate(ClaimRequest request) {
    for (int i = 0; i < gates.size(); i++) {
      GateReason reason = gates.get(i).closed();
      if (reason != null) {
        return Optional.of(new Claim.GateClosed(request.gates().get(i).operation(), reason));
      }
    }
    return Optional.empty();
  }

  private static Grant grant(AnswerRow row) throws SQLException {
    return new Grant(
        new FencingToken(row.number(ClaimStatement.GRANTED_TOKEN)),
        new Revision(row.number(ClaimStatement.GRANTED_REVISION)),
        new Epoch(row.integer(ClaimStatement.GRANTED_EPOCH)),
        row.micros(ClaimStatement.GRANTED_KEY_LEFT),
        row.integer(ClaimStatement.GRANTED_OPEN) - 1);
  }

  /** Behind the lock its receipt was known to the look that let the claim pass. */
  private static Gate locked(AnswerRow row, GateTerms gate) throws SQLException {
    return judge(row.flag(gate.lockedOpen()), row.text(gate.lockedState()), true);
  }

  private static Gate seen(AnswerRow row, GateTerms gate) throws SQLException {
    boolean known = row.flag(gate.seenKnown());
    return judge(known && row.flag(gate.seenOpen()), row.text(gate.seenState()), known);
  }

  private static Gate judge(boolean open, @Nullable String state, boolean known) {
    if (open) {
      return new Gate(null);
    }
    if (state == null) {
      return new Gate(GateReason.ABSENT);
    }
    return new Gate(known ? reason(OperationState.of(state)) : GateReason.WENT_BACK);
  }

  private static GateReason reason(OperationState state) {
    return switch (state) {
      case UNKNOWN, IN_PROGRESS -> GateReason.OPEN;
      case FAILED -> GateReason.FAILED;
      case CONFLICT -> GateReason.CONFLICT;
      case COMPLETED -> GateReason.MISMATCH;
    };
  }
}
