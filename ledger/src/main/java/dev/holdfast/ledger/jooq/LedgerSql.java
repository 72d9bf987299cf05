package dev.holdfast.ledger.jooq;

import java.util.Map;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.SQLDialect;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.ParamType;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderOptionalKeyword;
import org.jooq.conf.Settings;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultConfiguration;

/**
 * How the ledger's statements are rendered: for PostgreSQL, every table and function qualified by
 * the ledger's own schema, whatever the session's search path. Immutable.
 */
final class LedgerSql {
  private final Configuration configuration;
  private final PostgresClock clock;

  LedgerSql(String schema) {
    Settings settings =
        new Settings()
            .withRenderMapping(
                new RenderMapping()
                    .withSchemata(new MappedSchema().withInput("").withOutput(schema)))
            .withRenderOptionalAsKeywordForTableAliases(RenderOptionalKeyword.ON)
            .withExecuteLogging(false);
    this.configuration = new DefaultConfiguration().set(SQLDialect.POSTGRES).set(settings);
    this.clock = new PostgresClock(schema);
  }

  /** For statements of several steps, which are rendered as they run. */
  Configuration configuration() {
    return configuration;
  }

  /** The database's clock, as this schema reads it. */
  PostgresClock clock() {
    return clock;
  }

  /** The statement with a name at each of its parameters. */
  String render(Query query) {
    return context().renderNamedParams(query);
  }

  /** Its parameters by name. */
  Map<String, Param<?>> parameters(Query query) {
    return context().extractParams(query);
  }

  private DSLContext context() {
    return DSL.using(
        configuration.derive(configuration.settings().withParamType(ParamType.INDEXED)));
  }
}
