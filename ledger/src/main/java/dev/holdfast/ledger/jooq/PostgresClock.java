package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.name;

import java.time.Instant;
import org.jooq.Field;
import org.jooq.impl.SQLDataType;

/**
 * What the ledger's own functions say: the one clock that judges leases, and the timeline that
 * numbers belong to.
 *
 * @param schema where they live; a session's search path is its own affair
 */
record PostgresClock(String schema) {

  /** Database time when the expression is evaluated, not when the transaction began. */
  Field<Instant> now() {
    return function(name(schema, "ledger_clock"), SQLDataType.INSTANT.nullable(false));
  }

  Field<Long> timeline() {
    return function(name(schema, "ledger_timeline"), SQLDataType.BIGINT.nullable(false));
  }
}
