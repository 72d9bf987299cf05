package dev.holdfast.ledger.schema;

import static dev.holdfast.ledger.testbed.LedgerAssert.assertThat;
import static dev.holdfast.ledger.testbed.Rows.reservation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.AttemptOrigin;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.Rows;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;
import org.postgresql.util.PSQLException;

/** A ledger whose optional roles are granted, and those who log in as them. */
@ExtendWith(LedgerExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
abstract class RolesBed {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final String NO_RIGHT = "42501";

  final EmbeddedLedger ledger;

  RolesBed(EmbeddedLedger ledger) {
    this.ledger = ledger;
  }

  @BeforeAll
  void the_roles_are_granted_twice_over() throws IOException, SQLException {
    String roles = script();
    try (Connection connection = ledger.dataSource().getConnection();
        Statement sql = connection.createStatement()) {
      sql.execute(roles);
      sql.execute(roles);
      for (String role : List.of("migrator", "runtime", "operator", "reader")) {
        sql.execute("drop role if exists " + user(role));
        sql.execute("create role " + user(role) + " login in role holdfast_" + role);
      }
      sql.execute("alter role " + user("migrator") + " set role holdfast_owner");
    }
    Rows.of(ledger).completed(reservation("done")).insert();
    Rows.of(ledger).unknown(reservation("unknown")).insert();
  }

  static ActTerms terms(Reservation operation) {
    return new ActTerms(
        operation.scope(), operation.operation(), null, "ann", "asked by phone", false);
  }

  /** The SQL state that refused, empty where nothing did; rolled back either way. */
  String refusal(String role, String statements) {
    try (Connection connection = sourceOf(role).getConnection();
        Statement sql = connection.createStatement()) {
      connection.setAutoCommit(false);
      sql.execute("set local search_path = holdfast");
      try {
        sql.execute(statements);
        return "";
      } catch (PSQLException e) {
        return Objects.requireNonNull(e.getSQLState());
      } finally {
        connection.rollback();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  JooqLedger openAs(String role) {
    return JooqLedger.open(sourceOf(role), LedgerOptions.standard());
  }

  PGSimpleDataSource sourceOf(String role) {
    PGSimpleDataSource source = ledger.dataSource();
    source.setUser(user(role));
    return source;
  }

  /** Roles belong to the whole server, and this class to one of its databases. */
  private String user(String role) {
    return ledger.database() + "_" + role;
  }

  static UndispatchedLease claimed(Ledger ledger, Reservation operation) {
    Claim claim = ledger.claim(request(operation));
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return ((Claim.Granted) claim).lease();
  }

  static ClaimRequest request(Reservation operation) {
    return request(operation, new OpenAttemptRule.RolledBack());
  }

  static ClaimRequest request(Reservation operation, OpenAttemptRule rule) {
    return new ClaimRequest(
        operation,
        ClaimId.random(),
        new WorkerName("worker"),
        new AttemptOrigin("default", null, null, null, 1),
        LEASE,
        LEASE,
        Duration.ZERO,
        LeaseMargin.STANDARD,
        rule,
        SettlementPolicy.STANDARD,
        List.of());
  }

  static VerifiedResponse response() {
    byte[] body = "done".getBytes(StandardCharsets.UTF_8);
    UpstreamResponse answer =
        new UpstreamResponse(200, true, body, List.of(), new EffectId("effect"));
    return ((Verification.Verified) answer.verify(UpstreamResponse.DigestRule.OPTIONAL)).response();
  }

  private static String script() throws IOException {
    try (InputStream in = Ledger.class.getResourceAsStream("roles.sql")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
