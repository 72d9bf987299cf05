package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;

import dev.holdfast.ledger.Claim.GateReason;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.FencingToken;
import dev.holdfast.ledger.Revision;
import dev.holdfast.ledger.settlement.OperationState;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one claim statement answered.
 *
 * @param grant present where the row was taken
 * @param seen the row before; null where there was none
 * @param gates as judged, in the order of the request
 */
record ClaimAnswer(@Nullable Grant grant, @Nullable SeenOperation seen, List<Gate> gates) {

  /**
   * The row as taken.
   *
   * @param keyLeft how long the upstream surely still knows the key of the oldest open attempt
   */
  record Grant(FencingToken token, Revision revision, Epoch epoch, Duration keyLeft) {}

  /** One required completion; the reason is null where the gate is open. */
  record Gate(@Nullable GateReason closed) {}

  static ClaimAnswer read(AnswerRow row, List<GateTerms> terms) throws SQLException {
    boolean granted = row.has(ClaimStatement.GRANTED_TOKEN);
    List<Gate> gates = new ArrayList<>();
    for (GateTerms gate : terms) {
      gates.add(granted ? locked(row, gate) : seen(row, gate));
    }
    return new ClaimAnswer(
        granted ? grant(row) : null,
        row.has(OPERATION.STATE) ? SeenOperation.read(row) : null,
        gates);
  }

  private static Grant grant(AnswerRow row) throws SQLException {
    return new Grant(
        new FencingToken(row.number(ClaimStatement.GRANTED_TOKEN)),
        new Revision(row.number(ClaimStatement.GRANTED_REVISION)),
        new Epoch(row.integer(ClaimStatement.GRANTED_EPOCH)),
        row.micros(ClaimStatement.GRANTED_KEY_LEFT));
  }

  private static Gate locked(AnswerRow row, GateTerms gate) throws SQLException {
    return judge(row.flag(gate.lockedOpen()), row.text(gate.lockedState()));
  }

  private static Gate seen(AnswerRow row, GateTerms gate) throws SQLException {
    return judge(row.flag(gate.seenOpen()), row.text(gate.seenState()));
  }

  private static Gate judge(boolean open, @Nullable String state) {
    if (open) {
      return new Gate(null);
    }
    return new Gate(state == null ? GateReason.ABSENT : reason(OperationState.of(state)));
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
