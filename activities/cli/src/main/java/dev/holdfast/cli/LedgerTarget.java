package dev.holdfast.cli;

import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the ledger is. */
final class LedgerTarget {
  /** From the environment alone: a command line is seen by everybody on the machine. */
  private static final String PASSWORD = "LEDGER_PASSWORD";

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  @Option(
      names = "--jdbc-url",
      defaultValue = "${env:LEDGER_JDBC_URL}",
      paramLabel = "URL",
      description = "the ledger's database; else LEDGER_JDBC_URL")
  private @Nullable String url;

  @Option(
      names = "--user",
      defaultValue = "${env:LEDGER_USER}",
      paramLabel = "NAME",
      description = "its user; else LEDGER_USER. The password comes from LEDGER_PASSWORD alone")
  private @Nullable String user;

  @Option(
      names = "--schema",
      defaultValue = "holdfast",
      paramLabel = "NAME",
      description = "the ledger's schema (default: ${DEFAULT-VALUE})")
  private String schema = "holdfast";

  OperatorActs acts() {
    return JooqLedger.open(source(), LedgerOptions.standard().inSchema(schema)).acts();
  }

  void migrate() {
    JooqLedger.migrate(source(), schema);
  }

  private DataSource source() {
    if (url == null || url.isBlank()) {
      throw refused("say where the ledger is: --jdbc-url or LEDGER_JDBC_URL");
    }
    PGSimpleDataSource source = new PGSimpleDataSource();
    try {
      source.setURL(url);
    } catch (IllegalArgumentException e) {
      // its message quotes the URL, which may hold a password
      throw refused("--jdbc-url is no address of a PostgreSQL database");
    }
    if (user != null) {
      source.setUser(user);
    }
    String password = System.getenv(PASSWORD);
    if (password != null) {
      source.setPassword(password);
    }
    source.setApplicationName("holdfast-cli");
    return source;
  }

  private ParameterException refused(String message) {
    return new ParameterException(
        command == null ? new CommandLine(this) : command.commandLine(), message);
  }
}
