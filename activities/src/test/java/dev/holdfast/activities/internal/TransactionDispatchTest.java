package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.holdfast.HoldfastFailures;
import dev.holdfast.activities.LedgerWork;
import dev.holdfast.activities.NotDispatchedException;
import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Ledger;
import dev.holdfast.ledger.OpenAttemptRule;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.UndispatchedLease;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.testbed.CountingProxy;
import dev.holdfast.ledger.testbed.Disturbance;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.failure.ApplicationFailure;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Effects that are SQL of the ledger's own database. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class TransactionDispatchTest {
  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final Duration MARGIN = Duration.ofMillis(50);

  private final EmbeddedLedger database;
  private final Ledger ledger;
  private final String key = UUID.randomUUID().toString();

  TransactionDispatchTest(EmbeddedLedger database) {
    this.database = database;
    this.ledger = JooqLedger.open(database.pool(1), LedgerOptions.standard());
  }

  @BeforeEach
  void makeTheUsersTable() {
    database
        .sql()
        .execute("create table if not exists public.booking (id varchar primary key, seats int)");
  }

  @Test
  void effect_receipt_and_result_are_one_commit() {
    OpenEffect effect = granted("book");

    String result = effect.run(e -> unchecked(() -> e.inLedgerTransaction(this::book)));

    assertThat(result).isEqualTo("booked " + key);
    DispatchState.SettledInTransaction settled =
        (DispatchState.SettledInTransaction) effect.state();
    assertThat(settled.outcome()).isInstanceOf(SettleOutcome.Committed.class);
    assertThat(settled.result()).isEqualTo(effect.scope().encode(result));
    assertThat(bookings()).isEqualTo(1);
    assertThat(receipts()).isEqualTo(1);
    assertThat(storedEffect()).isEqualTo(effect.scope().holder().claimId().toString());
    assertThat(claim()).isEqualTo(replayOf(settled));
  }

  @Test
  void jooq_works_on_the_connection() {
    OpenEffect effect = granted("bookSeats");

    int seats =
        effect.<Integer>run(
            e ->
                e.inLedgerTransaction(
                    connection ->
                        DSL.using(connection, SQLDialect.POSTGRES)
                            .execute("insert into public.booking values (?, 2)", key)));

    assertThat(seats).isEqualTo(1);
    assertThat(bookings()).isEqualTo(1);
    assertThat(receipts()).isEqualTo(1);
  }

  @Test
  void a_method_without_a_result_settles_without_one() {
    OpenEffect effect = granted("bookSilently");

    effect.run(
        e ->
            unchecked(
                () ->
                    e.<@Nullable Object, SQLException>inLedgerTransaction(
                        connection -> {
                          book(connection);
                          return null;
                        })));

    assertThat(((DispatchState.SettledInTransaction) effect.state()).result())
        .isEqualTo(new StoredResult.NoValue());
    assertThat(bookings()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"checked", "runtime", "sql", "error"})
  void what_the_work_throws_comes_out_and_nothing_was_done(String kind) {
    OpenEffect effect = granted("book");

    Throwable thrown =
        catchThrowable(
            () ->
                effect.run(
                    e ->
                        unchecked(
                            () ->
                                e.inLedgerTransaction(
                                    connection -> {
                                      book(connection);
                                      return fail(kind, connection);
                                    }))));

    assertThat(thrown instanceof Checked ? thrown.getCause() : thrown)
        .isInstanceOf(
            switch (kind) {
              case "checked" -> IOException.class;
              case "sql" -> SQLException.class;
              case "error" -> StackOverflowError.class;
              default -> IllegalStateException.class;
            });
    assertNothingDone(effect);
    assertThat(bookAgain()).isEqualTo("booked " + key);
  }

  @Test
  void a_value_that_is_not_of_the_methods_type_rolls_back() {
    OpenEffect effect = granted("book");

    assertRefused(effect, HoldfastFailures.NOT_PROTECTABLE, this::seats);
  }

  @Test
  void null_where_the_method_returns_a_primitive_rolls_back() {
    OpenEffect effect = granted("bookSeats");

    assertRefused(
        effect,
        HoldfastFailures.NOT_PROTECTABLE,
        (LedgerWork<@Nullable Object, SQLException>)
            connection -> {
              book(connection);
              return null;
            });
  }

  @Test
  void a_value_where_the_method_returns_nothing_rolls_back() {
    assertRefused(granted("bookSilently"), HoldfastFailures.NOT_PROTECTABLE, this::book);
  }

  @Test
  void a_result_too_big_for_temporal_rolls_back() {
    assertRefused(
        granted("book"),
        HoldfastFailures.RESULT_NOT_TRANSPORTABLE,
        connection -> book(connection) + "S3CR3T-7f".repeat(300_000));
  }

  @Test
  void a_result_that_cannot_be_serialized_rolls_back() {
    assertRefused(
        granted("bookAnything"),
        HoldfastFailures.RESULT_NOT_TRANSPORTABLE,
        connection -> {
          book(connection);
          return new Unserializable();
        });
  }

  // case I1
  @Test
  void a_statement_that_failed_and_was_swallowed_commits_nothing() {
    OpenEffect effect = granted("book");

    Throwable thrown =
        catchThrowable(
            () ->
                effect.run(
                    e ->
                        unchecked(
                            () ->
                                e.inLedgerTransaction(
                                    connection -> {
                                      String booked = book(connection);
                                      return catchThrowable(() -> fail("sql", connection)) == null
                                          ? "impossible"
                                          : booked;
                                    }))));

    assertThat(thrown).isNotNull();
    assertThat(bookings()).isZero();
    assertThat(receipts()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"commit", "rollback", "close", "setAutoCommit"})
  void the_work_cannot_end_the_transaction(String how) {
    OpenEffect effect = granted("book");

    Throwable thrown =
        catchThrowable(
            () ->
                effect.run(
                    e ->
                        unchecked(
                            () ->
                                e.inLedgerTransaction(
                                    connection -> {
                                      String booked = book(connection);
                                      end(how, connection);
                                      return booked;
                                    }))));

    assertThat(thrown).isNotNull();
    assertNothingDone(effect);
  }

  @Test
  void a_zombie_does_nothing() {
    OpenEffect zombie = granted("book");
    expire();
    OpenEffect rival = granted("book");
    assertThat(rival.<String>run(e -> unchecked(() -> e.inLedgerTransaction(this::book))))
        .isEqualTo("booked " + key);

    assertThatThrownBy(
            () ->
                zombie.run(
                    e ->
                        unchecked(
                            () ->
                                e.inLedgerTransaction(
                                    connection -> {
                                      insert(connection, "zombie " + key);
                                      return "late";
                                    }))))
        .isInstanceOf(NotDispatchedException.class);
    assertThat(bookings()).isEqualTo(1);
    assertThat(receipts()).isEqualTo(1);
  }

  @Test
  void a_lease_that_ran_out_does_nothing_and_the_attempt_can_be_closed() {
    OpenEffect late = granted("book");
    expire();

    assertThatThrownBy(() -> late.run(e -> unchecked(() -> e.inLedgerTransaction(this::book))))
        .isInstanceOf(NotDispatchedException.class);
    assertThat(bookings()).isZero();
    assertThat(receipts()).isZero();

    Lease lease = ((DispatchState.Dispatched) late.state()).lease();
    assertThat(ledger.end(lease, new AttemptEnd.Refused(0))).isNotNull();
    assertThat(openAttempts()).isZero();
    assertThat(bookAgain()).isEqualTo("booked " + key);
  }

  @Test
  void a_margin_that_the_work_used_up_rolls_back() {
    OpenEffect slow = granted("book", ledger, LEASE.minusMillis(1));

    assertThatThrownBy(
            () ->
                slow.run(
                    e ->
                        unchecked(
                            () ->
                                e.inLedgerTransaction(
                                    connection -> {
                                      sleepInTheDatabase(connection);
                                      return book(connection);
                                    }))))
        .isInstanceOf(NotDispatchedException.class);
    assertThat(bookings()).isZero();
    assertThat(((DispatchState.SettledInTransaction) slow.state()).outcome())
        .isInstanceOf(SettleOutcome.MarginTooThin.class);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_lost_answer_of_the_commit_is_no_second_booking(boolean committed) {
    try (CountingProxy proxy = CountingProxy.before(database)) {
      Ledger distant =
          JooqLedger.open(database.pool(database.dataSource(proxy), 1), LedgerOptions.standard());
      OpenEffect effect = granted("book", distant, MARGIN);
      proxy.disturbNext(
          trip -> trip.statements().stream().anyMatch("commit"::equalsIgnoreCase),
          committed ? new Disturbance.CutBeforeAnswer() : new Disturbance.CutBeforeServer());

      Throwable thrown =
          catchThrowable(() -> effect.run(e -> unchecked(() -> e.inLedgerTransaction(this::book))));

      assertThat(proxy.isSpent()).isTrue();
      assertThat(bookings()).isEqualTo(committed ? 1 : 0);
      if (thrown != null) {
        assertThat(thrown)
            .isInstanceOfSatisfying(
                ApplicationFailure.class,
                e ->
                    assertThat(e.getType())
                        .isEqualTo(HoldfastFailures.LEDGER_UNAVAILABLE_AFTER_EFFECT));
      }
    }
    if (committed) {
      assertThat(claim()).isInstanceOf(Claim.Replay.class);
    } else {
      expire();
      assertThat(bookAgain()).isEqualTo("booked " + key);
    }
    assertThat(bookings()).isEqualTo(1);
    assertThat(receipts()).isEqualTo(1);
  }

  /** A work that is not of the declared type must be refused, so these tests make one. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private void assertRefused(OpenEffect effect, String type, LedgerWork work) {
    assertThatThrownBy(() -> effect.run(e -> unchecked(() -> e.inLedgerTransaction(work))))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            e -> {
              assertThat(e.getType()).isEqualTo(type);
              assertThat(e.isNonRetryable()).isTrue();
              assertThat(e.toString()).doesNotContain("S3CR3T").doesNotContain(key);
            });
    assertNothingDone(effect);
  }

  private void assertNothingDone(OpenEffect effect) {
    assertThat(effect.state())
        .isInstanceOfSatisfying(DispatchState.Refused.class, s -> assertThat(s.status()).isZero());
    assertThat(bookings()).isZero();
    assertThat(receipts()).isZero();
    var ended =
        ledger.end(((DispatchState.Dispatched) effect.state()).lease(), new AttemptEnd.Refused(0));
    assertThat(ended).isNotNull();
    assertThat(openAttempts()).isZero();
  }

  private String bookAgain() {
    return granted("book").run(e -> unchecked(() -> e.inLedgerTransaction(this::book)));
  }

  private String book(Connection connection) throws SQLException {
    insert(connection, key);
    return "booked " + key;
  }

  private Object seats(Connection connection) throws SQLException {
    insert(connection, key);
    return 2;
  }

  private static void insert(Connection connection, String id) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("insert into public.booking values (?, 1)")) {
      insert.setString(1, id);
      insert.executeUpdate();
    }
  }

  private static String fail(String kind, Connection connection) throws Exception {
    switch (kind) {
      case "checked" -> throw new IOException("after");
      case "error" -> throw new StackOverflowError("after");
      case "sql" -> {
        try (PreparedStatement broken = connection.prepareStatement("select 1/0")) {
          broken.executeQuery();
        }
      }
      default -> throw new IllegalStateException("after");
    }
    return "impossible";
  }

  private static void end(String how, Connection connection) throws SQLException {
    switch (how) {
      case "commit" -> connection.commit();
      case "rollback" -> connection.rollback();
      case "close" -> connection.close();
      default -> connection.setAutoCommit(true);
    }
  }

  private static void sleepInTheDatabase(Connection connection) throws SQLException {
    try (PreparedStatement sleep = connection.prepareStatement("select pg_sleep(0.05)")) {
      sleep.executeQuery();
    }
  }

  private OpenEffect granted(String activity) {
    return granted(activity, ledger, MARGIN);
  }

  private OpenEffect granted(String activity, Ledger by, Duration margin) {
    Claim claim = by.claim(OpenEffect.claim(key, LEASE, margin, new OpenAttemptRule.RolledBack()));
    assertThat(claim).isInstanceOf(Claim.Granted.class);
    return OpenEffect.of(activity, by, lease(claim));
  }

  private static UndispatchedLease lease(Claim claim) {
    return ((Claim.Granted) claim).lease();
  }

  private Claim claim() {
    return ledger.claim(OpenEffect.claim(key, LEASE, MARGIN, new OpenAttemptRule.RolledBack()));
  }

  private static Claim replayOf(DispatchState.SettledInTransaction settled) {
    return new Claim.Replay(
        ((SettleOutcome.Committed) settled.outcome()).receipt().completion(), settled.result());
  }

  private void expire() {
    database
        .sql()
        .update(OPERATION)
        .set(
            OPERATION.EXPIRES_AT,
            DSL.field("clock_timestamp() - interval '1 second'", java.time.Instant.class))
        .where(OPERATION.OPERATION_ID.eq("effect:" + key))
        .execute();
  }

  private int bookings() {
    return database
        .sql()
        .fetchCount(DSL.table("public.booking"), DSL.condition("id like ?", "%" + key));
  }

  private int receipts() {
    return database.sql().fetchCount(RECEIPT, RECEIPT.OPERATION_ID.eq("effect:" + key));
  }

  private int openAttempts() {
    return database
        .sql()
        .fetchSingle(OPERATION, OPERATION.OPERATION_ID.eq("effect:" + key))
        .get(OPERATION.OPEN_ATTEMPTS);
  }

  private String storedEffect() {
    return database
        .sql()
        .fetchSingle(OPERATION, OPERATION.OPERATION_ID.eq("effect:" + key))
        .get(OPERATION.EFFECT_ID);
  }

  /** A value with itself inside. */
  static final class Unserializable {
    public Unserializable getSelf() {
      return this;
    }
  }

  @FunctionalInterface
  private interface Body<T extends @Nullable Object> {
    T run() throws Exception;
  }

  /** Carries a checked exception out of a lambda. */
  private static final class Checked extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Checked(Exception cause) {
      super(cause);
    }
  }

  private static <T extends @Nullable Object> T unchecked(Body<T> body) {
    try {
      return body.run();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new Checked(e);
    }
  }
}
