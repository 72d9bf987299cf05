package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.QuarantineListener;
import dev.holdfast.ledger.QuarantineWarning;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says in the log what nobody else listens to. */
final class QuarantineLog implements QuarantineListener {
  private static final Logger LOG = LoggerFactory.getLogger(QuarantineLog.class);

  @Override
  public void quarantined(QuarantineWarning warning) {
    LOG.warn(
        "tuple_mismatch_quarantined: evidence of operation {} bears generation {} and another tuple"
            + " than its reservation",
        warning.operation(),
        warning.generation());
  }
}
