package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.LedgerRefusedException;
import dev.holdfast.ledger.LedgerUnavailableException;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class BorrowedConnectionTest {
  private final EmbeddedLedger embedded;

  BorrowedConnectionTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
  }

  private HikariDataSource poolOfOne() {
    HikariDataSource pool = new HikariDataSource();
    pool.setDataSource(embedded.dataSource());
    pool.setMaximumPoolSize(1);
    pool.setConnectionTimeout(2_000);
    return pool;
  }

  private record State(
      boolean autoCommit, int isolation, boolean readOnly, int networkTimeout, String settings) {
    static State of(HikariDataSource pool) throws SQLException {
      try (Connection connection = pool.getConnection();
          Statement statement = connection.createStatement();
          ResultSet row =
              statement.executeQuery(
                  "select string_agg(name || '=' || setting, ' ' order by name) from pg_settings"
                      + " where name in ('search_path', 'lock_timeout', 'synchronous_commit',"
                      + " 'role', 'statement_timeout', 'default_transaction_isolation')")) {
        row.next();
        return new State(
            connection.getAutoCommit(),
            connection.getTransactionIsolation(),
            connection.isReadOnly(),
            connection.getNetworkTimeout(),
            row.getString(1));
      }
    }
  }

  @ParameterizedTest // case I9
  @ValueSource(booleans = {true, false})
  void a_connection_goes_back_as_it_came(boolean autoCommit) throws SQLException {
    try (HikariDataSource pool = poolOfOne()) {
      pool.setAutoCommit(autoCommit);
      State before = State.of(pool);
      JooqLedger ledger = JooqLedger.open(pool, LedgerOptions.standard());

      for (int i = 0; i < 20; i++) {
        everything(ledger, "state-" + autoCommit + "-" + i);
      }

      assertThat(State.of(pool)).isEqualTo(before);
    }
  }

  private static void everything(JooqLedger ledger, String key) {
    Asking asking = Asking.about(key);
    Asking shared = Asking.about(key + "-shared", ResourceId.shared(key));
    Lease lease = asking.dispatched(ledger);
    assertThat(asking.claim(ledger)).isInstanceOf(Claim.Busy.class);
    assertThat(ledger.renew(List.of(lease), Asking.LEASE)).hasSize(1);
    ledger.release(Asking.committed(ledger, lease).permit());
    assertThat(asking.withFingerprintOf("another").claim(ledger))
        .isInstanceOf(Claim.Rejected.class);
    ledger.abandon(shared.granted(ledger));
    assertThat(ledger.read(asking.reservation().scope(), asking.reservation().operation()))
        .isPresent();
  }

  @Test // case I17
  void one_connection_is_enough_for_many_callers() throws Exception {
    try (HikariDataSource pool = poolOfOne()) {
      pool.setConnectionTimeout(30_000);
      JooqLedger ledger = JooqLedger.open(pool, LedgerOptions.standard());

      List<List<Integer>> done =
          Contenders.race(
              16,
              2,
              (contender, round) -> {
                everything(ledger, "one-" + contender + "-" + round);
                return 1;
              });

      assertThat(done).allMatch(round -> round.size() == 16);
    }
  }

  @Test // case I17
  void a_caller_that_holds_the_only_connection_hears_of_it_within_the_pools_patience()
      throws SQLException {
    try (HikariDataSource pool = poolOfOne()) {
      JooqLedger ledger = JooqLedger.open(pool, LedgerOptions.standard());
      try (Connection held = pool.getConnection()) {
        assertThat(held.isValid(1)).isTrue();

        assertThatThrownBy(() -> Asking.about("starved").claim(ledger))
            .isInstanceOf(LedgerUnavailableException.class);
      }
      Asking.about("starved").granted(ledger);
    }
  }

  @Test // case I19
  void between_claim_and_settlement_no_session_is_in_a_transaction_or_holds_a_lock() {
    PGSimpleDataSource impatient = embedded.dataSource();
    impatient.setOptions("-c idle_in_transaction_session_timeout=1s");
    JooqLedger ledger = JooqLedger.open(embedded.pool(impatient, 2), LedgerOptions.standard());
    Lease lease = Asking.about("effect").dispatched(ledger);
    Lease shared = Asking.about("effect-2", ResourceId.shared("room")).dispatched(ledger);

    assertThat(
            embedded
                .sql()
                .fetchSingle(
                    "select count(*) from pg_stat_activity where datname = current_database()"
                        + " and state like 'idle in transaction%'")
                .get(0))
        .isEqualTo(0L);
    assertThat(
            embedded
                .sql()
                .fetchSingle(
                    "select count(*) from pg_locks l join pg_class c on c.oid = l.relation"
                        + " where c.relname in ('operation', 'resource', 'receipt')")
                .get(0))
        .isEqualTo(0L);
    Asking.committed(ledger, lease);
    Asking.committed(ledger, shared);
  }

  @Test // case I11
  void a_data_source_that_hands_out_the_callers_transaction_is_refused() throws SQLException {
    try (Connection callers = embedded.dataSource().getConnection()) {
      callers.setAutoCommit(false);
      try (Statement statement = callers.createStatement()) {
        statement.execute("create temporary table theirs (id int)");
      }
      OneConnection theirs = new OneConnection(callers);

      assertThatThrownBy(() -> JooqLedger.open(theirs, LedgerOptions.standard()))
          .isInstanceOf(LedgerRefusedException.class)
          .hasMessageContaining("open transaction");

      try (Statement statement = callers.createStatement()) {
        assertThat(statement.executeUpdate("insert into theirs values (1)")).isEqualTo(1);
      }
      callers.rollback();
    }
  }

  @Test // case D3
  void an_interrupted_caller_is_served_and_stays_interrupted() {
    JooqLedger ledger = JooqLedger.open(embedded.pool(1), LedgerOptions.standard());
    Thread.currentThread().interrupt();

    Claim claim = Asking.about("interrupted").claim(ledger);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(claim).isInstanceOf(Claim.Granted.class);
  }

  @Test
  void the_patience_with_the_network_is_half_of_what_is_left_of_the_lease() {
    LedgerOptions options = LedgerOptions.standard();

    assertThat(options.patience(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(2));
    assertThat(options.patience(Duration.ofMinutes(1))).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.patience(Duration.ofMillis(10))).isEqualTo(Duration.ofMillis(100));
    assertThat(options.patience(Duration.ofSeconds(-1))).isEqualTo(Duration.ofSeconds(5));
  }
}
