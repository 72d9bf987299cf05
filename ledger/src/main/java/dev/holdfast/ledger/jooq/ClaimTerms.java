package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.jooq.impl.DSL.param;

import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.OpenAttemptRule;
import org.jooq.Field;
import org.jooq.Param;
import org.jooq.impl.SQLDataType;

/** What a claim asks for, as parameters. */
final class ClaimTerms {
  static final Field<Double> LEASE = Parameters.seconds("lease");
  static final Field<Double> DISPATCH_WITHIN = Parameters.seconds("dispatch_within");
  static final Field<Double> IN_FLIGHT = Parameters.seconds("in_flight");
  static final Field<Double> KEY_USABLE = Parameters.seconds("key_usable");
  static final Param<Boolean> WHILE_OPEN = param("while_open", SQLDataType.BOOLEAN);

  private ClaimTerms() {}

  static Bindings bind(Bindings values, ClaimRequest request) {
    Parameters.reservation(values, request.reservation());
    values.set(Parameters.CLAIM_ID, request.claimId().value());
    values.set(OPERATION.WORKER, request.worker().value());
    values.set(LEASE, PostgresClock.seconds(request.leaseFor()));
    values.set(DISPATCH_WITHIN, PostgresClock.seconds(request.dispatchWithin()));
    values.set(IN_FLIGHT, PostgresClock.seconds(request.inFlight()));
    bindRule(values, request.rule());
    if (request.binding() != null) {
      BoundTerms.bind(values, request.binding());
    }
    return bindOrigin(values, request.origin());
  }

  private static void bindRule(Bindings values, OpenAttemptRule rule) {
    switch (rule) {
      case OpenAttemptRule.RolledBack done -> withoutKey(values, true);
      case OpenAttemptRule.AskFirst ask -> withoutKey(values, true);
      case OpenAttemptRule.ParkWhileOpen park -> withoutKey(values, false);
      case OpenAttemptRule.SameKeyAgain again -> {
        values.set(WHILE_OPEN, again.then() instanceof OpenAttemptRule.AskFirst);
        values.set(KEY_USABLE, PostgresClock.seconds(again.usable()));
      }
    }
  }

  /** A null span is no span, not one of zero: a clock that goes back opens nothing. */
  private static void withoutKey(Bindings values, boolean whileOpen) {
    values.set(WHILE_OPEN, whileOpen);
    values.set(KEY_USABLE, null);
  }

  private static Bindings bindOrigin(Bindings values, AttemptOrigin origin) {
    return values
        .set(OPERATION.NAMESPACE, origin.namespace())
        .set(OPERATION.WORKFLOW_ID, origin.workflowId())
        .set(OPERATION.RUN_ID, origin.runId())
        .set(OPERATION.ACTIVITY_ID, origin.activityId())
        .set(OPERATION.ATTEMPT_NUMBER, origin.attemptNumber());
  }
}
