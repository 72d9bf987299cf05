package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimRequest;
import dev.holdfast.ledger.EndOutcome;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.LocalDeadline;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** What the ledger owes its callers at the edges of their own doing. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BordersTest {
  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  BordersTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.dataSource(), LedgerOptions.standard());
  }

  @Test
  void a_claim_that_was_overtaken_is_not_granted_again_and_hinders_nobody() {
    Asking asking = Asking.about("sent-twice");
    ClaimRequest overtaken = asking.request();
    try (LedgerClock clock = LedgerClock.of(embedded)) {
      assertThat(ledger.claim(overtaken)).isInstanceOf(Claim.Granted.class);
      clock.shift(Asking.LEASE);
      asking.granted(ledger);
      clock.shift(Asking.LEASE.multipliedBy(2));

      assertThatThrownBy(() -> ledger.claim(overtaken))
          .isInstanceOf(LedgerUnavailableException.class)
          .hasMessageContaining("fresh");

      asking.granted(ledger);
    }
  }

  @Test
  void a_reader_may_act_upon_what_it_reads_so_that_its_commit_is_confirmed_first() {
    Asking asking = Asking.about("read-before-release");
    Asking.committed(ledger, asking.dispatched(ledger));

    assertThat(ledger.read(asking.reservation().scope(), asking.reservation().operation()))
        .get()
        .satisfies(operation -> assertThat(operation.completion()).isNotNull());

    StoredOperation stored = StoredOperation.of(embedded, asking.reservation());
    assertThat(stored.get(OPERATION.DURABLE_CONFIRMED_AT)).isNotNull();
  }

  @Test
  void an_effect_gets_no_answer_once_its_lease_is_over_whatever_the_server_bounds()
      throws SQLException {
    try (Connection connection = embedded.superuser();
        LentConnection lent =
            new LentConnection(connection, new LocalDeadline(System.nanoTime()))) {
      assertThatThrownBy(() -> lent.proxy().createStatement())
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("lease ran out");
    }
  }

  @Test
  void an_operation_whose_resource_was_passed_on_shows_no_lease() {
    ResourceId scanner = ResourceId.shared("scanner");
    Asking asking = Asking.about("passed-on", scanner).under(new OpenAttemptRule.RolledBack());
    Lease former = asking.dispatched(ledger);
    embedded.sql().execute("update resource set expires_at = ledger_clock()");
    asking.dispatched(ledger);
    embedded.sql().execute("update resource set expires_at = ledger_clock()");
    Asking.about("passed-to", scanner).granted(ledger);

    assertThat(ledger.end(former, new AttemptEnd.Refused(429)))
        .isInstanceOfSatisfying(
            EndOutcome.Recorded.class,
            recorded -> {
              assertThat(recorded.operation().state()).isEqualTo(OperationState.IN_PROGRESS);
              assertThat(recorded.operation().leaseRest()).isZero();
            });
  }

  // case I11
  @Test
  void a_transaction_on_the_callers_connection_is_refused_and_left_alone() throws SQLException {
    try (Connection callers = embedded.dataSource().getConnection()) {
      callers.setAutoCommit(false);
      try (Statement statement = callers.createStatement()) {
        statement.execute("create temporary table theirs (id int)");
        LedgerTransaction transactions = SettlementBed.transactions(new OneConnection(callers));

        assertThatThrownBy(() -> transactions.begin(Asking.LEASE))
            .isInstanceOf(LedgerRefusedException.class);

        assertThat(statement.executeUpdate("insert into theirs values (1)")).isEqualTo(1);
      }
    }
  }

  @Test
  void a_migration_that_fails_says_so_and_can_be_repeated() {
    try (EmbeddedLedger empty = EmbeddedLedger.unmigrated()) {
      empty
          .sql()
          .execute(
              "create function public.never() returns event_trigger language plpgsql as"
                  + " $$ begin raise exception 'never'; end $$");
      empty
          .sql()
          .execute(
              "create event trigger never on ddl_command_start when tag in ('CREATE TRIGGER')"
                  + " execute function public.never()");
      PGSimpleDataSource source = empty.dataSource();

      assertThatThrownBy(() -> JooqLedger.migrate(source))
          .isInstanceOf(LedgerRefusedException.class)
          .hasMessageContaining("was left as it was");

      empty.sql().execute("drop event trigger never");
      JooqLedger.migrate(source);
      JooqLedger.open(source, LedgerOptions.standard());
    }
  }

  @Test
  void a_time_out_that_the_driver_would_take_for_none_is_refused() {
    LedgerOptions standard = LedgerOptions.standard();

    assertThatThrownBy(() -> standard.answeringWithin(Duration.ofNanos(999_999)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(standard.answeringWithin(Duration.ofMillis(1)).networkTimeout())
        .isEqualTo(Duration.ofMillis(1));
  }

  // case D3
  @Test
  void an_interrupted_caller_gets_a_shared_resource_and_stays_interrupted() {
    JooqLedger impatient = JooqLedger.open(new Impatient(embedded), LedgerOptions.standard());
    Asking asking = Asking.about("interrupted", ResourceId.shared("printer"));
    Thread.currentThread().interrupt();

    try {
      assertThat(asking.claim(impatient)).isInstanceOf(Claim.Granted.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  /** As a pool does that waits for a connection. */
  private static final class Impatient extends PGSimpleDataSource {
    private static final long serialVersionUID = 1L;

    Impatient(EmbeddedLedger ledger) {
      setUrl(ledger.jdbcUrl());
    }

    @Override
    public Connection getConnection() throws SQLException {
      if (Thread.currentThread().isInterrupted()) {
        throw new SQLException("interrupted");
      }
      return super.getConnection();
    }
  }
}
