package dev.holdfast.ledger.jooq;

import static dev.holdfast.ledger.jooq.generated.Tables.RESOURCE;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.Claim.Difference;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.ReleaseOutcome;
import dev.holdfast.ledger.ResourceId;
import dev.holdfast.ledger.SettleOutcome;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerExtension;
import dev.holdfast.ledger.testbed.StoredOperation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("race")
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ClaimRaceTest {
  private static final int KEYS = 400;
  private static final int THREADS = 16;

  /** Contenders that never rest queue for a lock longer than a worker would wait. */
  private static final LedgerOptions PATIENT =
      LedgerOptions.standard().answeringWithin(Duration.ofMinutes(1));

  private static final Claim REJECTED = new Claim.Rejected(Difference.FINGERPRINT);

  private final EmbeddedLedger embedded;
  private final JooqLedger ledger;

  ClaimRaceTest(EmbeddedLedger embedded) {
    this.embedded = embedded;
    this.ledger = JooqLedger.open(embedded.pool(THREADS), PATIENT);
  }

  @AfterEach
  void no_session_fell_to_a_deadlock() {
    assertThat(
            embedded
                .sql()
                .fetchSingle(
                    "select deadlocks from pg_stat_database where datname = current_database()")
                .get(0))
        .isEqualTo(0L);
  }

  private static List<Claim> granted(List<Claim> answers) {
    return answers.stream().filter(Claim.Granted.class::isInstance).toList();
  }

  @Test // case C9
  void of_two_requests_under_one_key_one_is_granted_once() throws Exception {
    List<List<Claim>> answers =
        Contenders.race(
            THREADS,
            KEYS,
            (contender, round) ->
                Asking.about("race-" + round)
                    .withFingerprintOf("request-" + contender % 2)
                    .claim(ledger));

    assertThat(answers)
        .allSatisfy(
            ofKey -> {
              assertThat(granted(ofKey)).hasSize(1);
              assertThat(ofKey)
                  .allMatch(
                      claim ->
                          claim instanceof Claim.Granted
                              || claim instanceof Claim.Busy
                              || claim.equals(REJECTED));
              assertThat(ofKey.stream().filter(REJECTED::equals)).hasSize(THREADS / 2);
            });
  }

  @Test // case I3
  void a_loser_always_gets_the_winners_reservation() throws Exception {
    JooqLedger many = JooqLedger.open(embedded.pool(64), LedgerOptions.standard());

    List<List<Claim>> answers =
        Contenders.race(64, 25, (contender, round) -> Asking.about("i3-" + round).claim(many));

    assertThat(answers)
        .allSatisfy(
            ofKey -> {
              assertThat(granted(ofKey)).hasSize(1);
              assertThat(ofKey.stream().filter(Claim.Busy.class::isInstance)).hasSize(63);
            });
  }

  @Test // case I3
  void sessions_that_are_stricter_than_read_committed_make_no_difference() throws Exception {
    try (HikariDataSource repeatable = new HikariDataSource()) {
      repeatable.setDataSource(embedded.dataSource());
      repeatable.setMaximumPoolSize(8);
      repeatable.setTransactionIsolation("TRANSACTION_REPEATABLE_READ");
      JooqLedger over = JooqLedger.open(repeatable, LedgerOptions.standard());

      List<List<Claim>> answers =
          Contenders.race(8, 60, (contender, round) -> Asking.about("strict-" + round).claim(over));

      assertThat(answers)
          .allSatisfy(
              ofKey -> {
                assertThat(granted(ofKey)).hasSize(1);
                assertThat(ofKey.stream().filter(Claim.Busy.class::isInstance)).hasSize(7);
              });
    }
  }

  @Test
  void of_two_callers_who_name_different_resources_the_loser_takes_none() throws Exception {
    List<List<Claim>> answers =
        Contenders.race(
            4,
            30,
            (contender, round) ->
                Asking.about("resources-" + round, room(round, contender % 2)).claim(ledger));

    for (int round = 0; round < answers.size(); round++) {
      List<Claim> ofKey = answers.get(round);
      assertThat(granted(ofKey)).hasSize(1);
      assertThat(ofKey)
          .allMatch(
              claim ->
                  claim instanceof Claim.Granted
                      || claim instanceof Claim.Busy
                      || claim.equals(new Claim.Rejected(Difference.RESOURCE)));
      Set<String> rooms = Set.of(room(round, 0).value(), room(round, 1).value());
      assertThat(embedded.sql().fetchCount(RESOURCE, RESOURCE.RESOURCE_ID.in(rooms))).isEqualTo(1);
    }
  }

  private static ResourceId room(int round, int which) {
    return ResourceId.shared("room-" + round + "-" + which);
  }

  @Test
  void sixty_four_contenders_hold_a_hot_resource_in_turn() throws Exception {
    ResourceId hot = ResourceId.shared("hot");
    AtomicInteger holders = new AtomicInteger();
    ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();

    // more of them than connections
    Contenders.race(
        64,
        1,
        (contender, round) -> {
          Asking asking = Asking.about("hot-" + contender, hot);
          Claim claim = asking.claim(ledger);
          while (!(claim instanceof Claim.Granted granted)) {
            assertThat(claim).isInstanceOf(Claim.Busy.class);
            claim = asking.claim(ledger);
          }
          assertThat(holders.incrementAndGet()).isEqualTo(1);
          tokens.add(granted.lease().token().value());
          SettleOutcome.Committed committed = Asking.committed(ledger, granted.lease().dispatch());
          holders.decrementAndGet();
          return ledger.release(committed.permit());
        });

    assertThat(List.copyOf(tokens)).hasSize(64).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void operations_that_share_a_resource_hold_it_in_turn() throws Exception {
    ResourceId press = ResourceId.shared("press");
    AtomicInteger holders = new AtomicInteger();
    ConcurrentLinkedQueue<Long> tokens = new ConcurrentLinkedQueue<>();

    Contenders.race(
        8,
        8,
        (contender, round) -> {
          Asking asking = Asking.about("turn-" + contender + "-" + round, press);
          Claim claim = asking.claim(ledger);
          while (!(claim instanceof Claim.Granted granted)) {
            assertThat(claim).isInstanceOfAny(Claim.Busy.class, Claim.Contended.class);
            claim = asking.claim(ledger);
          }
          assertThat(holders.incrementAndGet()).isEqualTo(1);
          tokens.add(granted.lease().token().value());
          Lease lease = granted.lease().dispatch();
          SettleOutcome.Committed committed = Asking.committed(ledger, lease);
          holders.decrementAndGet();
          assertThat(ledger.release(committed.permit()))
              .isInstanceOf(ReleaseOutcome.Released.class);
          return Objects.requireNonNull(committed);
        });

    assertThat(List.copyOf(tokens)).hasSize(64).isSorted().doesNotHaveDuplicates();
    LedgerAssert.assertThat(
            StoredOperation.of(embedded, Asking.about("turn-0-0", press).reservation()))
        .hasReceipts(1);
  }

  @Test // case C13
  void one_holder_after_another_gets_a_higher_token() throws Exception {
    List<List<Long>> tokens =
        Contenders.race(
            4,
            50,
            (contender, round) -> {
              Claim claim = Asking.about("again").claim(ledger);
              if (claim instanceof Claim.Granted granted) {
                long token = granted.lease().token().value();
                assertThat(ledger.abandon(granted.lease())).isNotNull();
                return token;
              }
              return 0L;
            });

    List<Long> granted = tokens.stream().flatMap(List::stream).filter(token -> token > 0).toList();
    assertThat(granted).isNotEmpty();
    assertThat(granted.stream().collect(Collectors.toSet())).hasSameSizeAs(granted);
  }
}
