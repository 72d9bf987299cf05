package dev.holdfast.ledger.jooq;

import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.when;

import java.time.Duration;
import org.jooq.CommonTableExpression;
import org.jooq.Field;
import org.jooq.Name;
import org.jooq.impl.SQLDataType;

/**
 * The first part of each statement that may wait or commit: settings for this very statement, gone
 * with it. Whatever locks must read from it, so that they are in force before the lock is asked
 * for.
 */
final class StatementSettings {
  private static final Name SETTINGS = name("settings");
  private static final String LOCK_TIMEOUT = "lock_timeout";
  private static final String SYNCHRONOUS_COMMIT = "synchronous_commit";
  private static final Field<String> WAIT = field(name(LOCK_TIMEOUT), SQLDataType.VARCHAR);

  /** The level in force at the statement's commit. */
  static final Field<String> LEVEL = field(name(SYNCHRONOUS_COMMIT), SQLDataType.VARCHAR);

  private StatementSettings() {}

  /** For statements whose answer lets somebody act: at least this level, whatever the session's. */
  static CommonTableExpression<?> confirmed(CommitLevel level) {
    Field<String> enough =
        when(current().eq(inline("remote_apply")), inline("remote_apply"))
            .otherwise(inline(level.setting()));
    return settings(set(SYNCHRONOUS_COMMIT, enough));
  }

  /** For statements whose loss in a crash harms nobody. */
  static CommonTableExpression<?> unconfirmed() {
    return settings(set(SYNCHRONOUS_COMMIT, inline("off")));
  }

  /** For statements of a transaction, or without a say in how they are committed. */
  static CommonTableExpression<?> asInSession() {
    return settings(current());
  }

  private static CommonTableExpression<?> settings(Field<String> level) {
    Field<String> wait = set(LOCK_TIMEOUT, param(LOCK_TIMEOUT, SQLDataType.VARCHAR));
    return SETTINGS.asMaterialized(select(wait.as(WAIT), level.as(LEVEL)));
  }

  private static Field<String> current() {
    return function(name("current_setting"), SQLDataType.VARCHAR, inline(SYNCHRONOUS_COMMIT));
  }

  private static Field<String> set(String setting, Field<String> value) {
    return function(name("set_config"), SQLDataType.VARCHAR, inline(setting), value, inline(true));
  }

  /** With the lock time-out that belongs to this time-out of the network. */
  static Bindings bindings(Duration networkTimeout) {
    Duration wait = LedgerOptions.lockTimeout(networkTimeout);
    return new Bindings().set(LOCK_TIMEOUT, Math.max(1, wait.toMillis()) + "ms");
  }
}
