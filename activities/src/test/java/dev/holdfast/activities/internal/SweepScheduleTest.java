package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.bed.RivalHolder;
import dev.holdfast.activities.bed.Switch;
import dev.holdfast.activities.bed.WorkerBed;
import dev.holdfast.ledger.AttestOutcome;
import dev.holdfast.ledger.AttestedSuccess;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.LeaseMargin;
import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.StoredResult;
import dev.holdfast.ledger.Sweeper;
import dev.holdfast.ledger.WorkerName;
import dev.holdfast.ledger.jooq.JooqLedger;
import dev.holdfast.ledger.jooq.LedgerOptions;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.settlement.SettlementPolicy;
import dev.holdfast.ledger.settlement.Tuple;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.LedgerClock;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import io.temporal.worker.WorkerFactory;
import io.temporal.worker.WorkerFactoryOptions;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What nobody asks for again is looked after by the schedule of whatever worker runs. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SweepScheduleTest {
  private static final Duration OFTEN = Duration.ofMillis(20);

  /** A ledger for each test: a sweep sweeps all of it. */
  private final EmbeddedLedger ledger = EmbeddedLedger.fresh();

  private final Switch database = new Switch(ledger.pool(4));
  private final JooqLedger jooq = JooqLedger.open(database, LedgerOptions.standard());
  private final LedgerClock clock = LedgerClock.of(ledger);
  private final HoldfastCounters counters = new HoldfastCounters();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final List<SweepSchedule> schedules = new ArrayList<>();

  @AfterEach
  void close() {
    schedules.forEach(schedule -> schedule.stop(this));
    patiently().until(() -> threads.stream().noneMatch(Thread::isAlive));
    ledger.close();
  }

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(10));
  }

  private SweepSchedule schedule(Sweeper sweeper, Duration every) {
    HoldfastSettings settings =
        new HoldfastSettings(
            null,
            WorkerBed.LEASE,
            LeaseMargin.STANDARD,
            Duration.ZERO,
            new WorkerName("test"),
            List.of(),
            counters,
            List.of(),
            List.of(),
            every);
    SweepSchedule schedule = new SweepSchedule(sweeper, settings, this::threads);
    schedules.add(schedule);
    return schedule;
  }

  private ThreadFactory threads(String name) {
    ThreadFactory daemons = Aside.daemons(name);
    return work -> {
      Thread thread = daemons.newThread(work);
      threads.add(thread);
      return thread;
    };
  }

  /** Its holder is silent from now on. */
  private Reservation dispatched(String key) {
    Reservation reservation = Rows.reservation(key);
    Rows.of(ledger)
        .inProgress(reservation)
        .with(OPERATION.EXPIRES_AT, clock.now().plusSeconds(60))
        .insert();
    return reservation;
  }

  private StoredOperation stored(Reservation reservation) {
    return StoredOperation.of(ledger, reservation);
  }

  private OperationState state(Reservation reservation) {
    return jooq.read(reservation.scope(), reservation.operation()).orElseThrow().state();
  }

  @Test
  void what_a_dead_holder_left_is_demoted_and_its_delivered_success_settled_by_time_alone() {
    Reservation silent = dispatched("silent");
    Reservation delivered = dispatched("delivered");
    assertThat(jooq.attest(success(delivered))).isEqualTo(new AttestOutcome.Pending());
    clock.shift(Duration.ofHours(3));

    schedule(jooq.sweeper(), OFTEN).start(this);

    patiently().until(() -> state(silent) == OperationState.UNKNOWN);
    patiently().until(() -> state(delivered) == OperationState.COMPLETED);
    LedgerAssert.assertThat(stored(silent))
        .hasOpenAttempts(1)
        .hasObservations("lease_expired demoted");
    LedgerAssert.assertThat(stored(delivered)).hasReceipts(1).hasPendingEvidence(0).isReleased();
    patiently().until(() -> counters.sweptLeases() == 2 && counters.sweptEvidence() == 1);
  }

  private static AttestedSuccess success(Reservation of) {
    return new AttestedSuccess(
        new Tuple(of.scope(), of.operation(), of.fingerprint(), of.generation(), new Epoch(0)),
        Witnessed.signed(201, "done".getBytes(UTF_8), new EffectId("effect")),
        new StoredResult.Value(RivalHolder.encoded("done")),
        SettlementPolicy.STANDARD);
  }

  @Test
  void while_one_owner_is_left_later_runs_see_what_dies_after_the_first() {
    Reservation first = dispatched("first");
    clock.shift(Duration.ofMinutes(5));
    SweepSchedule schedule = schedule(jooq.sweeper(), OFTEN);
    schedule.start(this);
    schedule.start(counters);
    patiently().until(() -> state(first) == OperationState.UNKNOWN);
    schedule.stop(counters);

    Reservation second = dispatched("second");
    clock.shift(Duration.ofMinutes(10));

    patiently().until(() -> state(second) == OperationState.UNKNOWN);
  }

  @Test
  void of_several_workers_each_lease_is_demoted_by_one_though_there_are_more_than_a_batch() {
    List<Reservation> dead =
        IntStream.range(0, 150).mapToObj(i -> dispatched("dead-" + i)).toList();
    clock.shift(Duration.ofMinutes(5));

    for (int i = 0; i < 4; i++) {
      schedule(jooq.sweeper(), OFTEN).start(this);
    }

    patiently().until(() -> counters.sweptLeases() >= dead.size());
    dead.forEach(
        one ->
            LedgerAssert.assertThat(stored(one))
                .isInState(OperationState.UNKNOWN)
                .hasObservations("lease_expired demoted"));
    assertThat(counters.sweptLeases()).isEqualTo(dead.size());
  }

  @Test
  void an_outage_is_counted_by_the_run_and_logged_once_and_its_end_once() {
    PrintStream stderr = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, UTF_8));
    try {
      Reservation silent = dispatched("silent");
      clock.shift(Duration.ofMinutes(5));
      database.turn(false);
      schedule(jooq.sweeper(), OFTEN).start(this);
      patiently().until(() -> counters.failedSweeps() >= 5);

      database.turn(true);

      patiently().until(() -> counters.sweptLeases() == 1);
      assertThat(state(silent)).isEqualTo(OperationState.UNKNOWN);
      database.turn(false);
      long before = counters.failedSweeps();
      patiently().until(() -> counters.failedSweeps() >= before + 3);
    } finally {
      System.setErr(stderr);
    }

    assertThat(logged.toString(UTF_8).lines().filter(line -> line.contains("sweep outcome=")))
        .hasSize(2)
        .allMatch(line -> line.contains("outcome=unavailable"));
  }

  @Test
  void a_run_under_way_ends_by_itself_and_none_follows_once_the_last_owner_stopped()
      throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    SweepSchedule schedule =
        schedule(
            terms -> {
              running.countDown();
              awaited(mayEnd);
              return jooq.sweeper().sweep(terms);
            },
            OFTEN);
    Object other = new Object();
    schedule.start(this);
    schedule.start(other);
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();

    schedule.stop(this);
    assertThat(threads).singleElement().matches(Thread::isAlive);
    schedule.stop(other);
    schedule.stop(other);
    mayEnd.countDown();

    patiently().until(() -> threads.stream().noneMatch(Thread::isAlive));
    assertThat(threads).hasSize(1);
    assertThat(counters.failedSweeps()).isZero();
  }

  private static void awaited(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError("a run is not interrupted", e);
    }
  }

  @Test
  void what_fails_while_it_is_stopped_is_no_outage() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    SweepSchedule schedule =
        schedule(
            terms -> {
              running.countDown();
              awaited(mayEnd);
              throw new IllegalStateException("the pool is closed");
            },
            OFTEN);
    schedule.start(this);
    assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();

    schedule.stop(this);
    mayEnd.countDown();

    patiently().until(() -> threads.stream().noneMatch(Thread::isAlive));
    assertThat(counters.failedSweeps()).isZero();
  }

  @Test
  void switched_off_it_has_no_thread_and_odd_pauses_are_refused() {
    schedule(jooq.sweeper(), Duration.ZERO).start(this);

    assertThat(threads).isEmpty();
    for (Duration odd :
        List.of(Duration.ofMillis(999), Duration.ofDays(1).plusMillis(1), Duration.ofDays(-1))) {
      assertThatThrownBy(() -> Holdfast.newBuilder(database).setSweepEvery(odd))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void a_worker_starts_it_and_takes_its_thread_along_when_it_stops() {
    Set<Thread> others = sweepers();
    try (WorkerBed bed = new WorkerBed()) {
      start(bed, Holdfast.newBuilder(database).setSweepEvery(Duration.ZERO));
      assertThat(sweepers()).isEqualTo(others);

      WorkerFactory orderly = start(bed, Holdfast.newBuilder(database));
      WorkerFactory now = start(bed, Holdfast.newBuilder(database));
      assertThat(sweepers()).hasSize(others.size() + 2);
      orderly.shutdown();
      now.shutdownNow();

      patiently().until(() -> sweepers().equals(others));
    }
  }

  private static WorkerFactory start(WorkerBed bed, Holdfast.Builder plugin) {
    return bed.start(WorkerFactoryOptions.newBuilder().setPlugins(plugin.build()).build());
  }

  private static Set<Thread> sweepers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("holdfast-sweeper"))
        .collect(Collectors.toSet());
  }
}
