package dev.holdfast.activities.internal;

import static dev.holdfast.ledger.jooq.generated.Tables.OBSERVATION;
import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static dev.holdfast.ledger.jooq.generated.Tables.RECEIPT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.activities.AttestedDeliveries;
import dev.holdfast.activities.Delivered;
import dev.holdfast.activities.DeliveryReader;
import dev.holdfast.activities.Holdfast;
import dev.holdfast.activities.HoldfastCounters;
import dev.holdfast.activities.bed.Failures;
import dev.holdfast.activities.bed.Switch;
import dev.holdfast.activities.evidence.EvidenceVerifier;
import dev.holdfast.activities.evidence.MessageSignatureVerifier;
import dev.holdfast.activities.evidence.Refusal;
import dev.holdfast.activities.evidence.SignedMessage;
import dev.holdfast.activities.evidence.Signer;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerExtension;
import io.temporal.common.converter.GlobalDataConverter;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The worker never saw the answer; the upstream says by itself, signed, what it did. */
@ExtendWith(LedgerExtension.class)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AttestedDeliveriesTest {
  private static final byte[] BODY = "a document".getBytes(UTF_8);
  private static final Signer SIGNER = Signer.ed25519("now");
  private static final EvidenceVerifier VERIFIER =
      MessageSignatureVerifier.of(List.of(SIGNER.key()), Clock.systemUTC());
  private static final DeliveryReader<String> TEXT = body -> new String(body, UTF_8);

  private final EmbeddedLedger ledger;
  private final EffectsBed bed;
  private final AttestedDeliveries deliveries;
  private final HoldfastCounters counters = new HoldfastCounters();
  private final Map<String, String> asked = new HashMap<>();

  AttestedDeliveriesTest(EmbeddedLedger ledger) {
    this.ledger = ledger;
    this.bed = new EffectsBed(ledger);
    this.deliveries = deliveries(counters);
  }

  private AttestedDeliveries deliveries(HoldfastCounters counted) {
    return deliveries(ledger.dataSource(), counted);
  }

  private static AttestedDeliveries deliveries(DataSource database, HoldfastCounters counted) {
    return Holdfast.newBuilder(database)
        .addEvidenceVerifier(AttestedTest.Exports.class, VERIFIER)
        .setCounters(counted)
        .buildDeliveries(AttestedTest.Exports.class, GlobalDataConverter.get());
  }

  @AfterEach
  void close() {
    bed.close();
  }

  @Test
  void a_delivered_success_completes_what_nobody_saw_end_and_is_replayed() throws IOException {
    try (HttpUpstream upstream = losing()) {
      fail(upstream, "lost");

      assertThat(deliver(201, asked)).isEqualTo(new Delivered.Completed());
      assertThat(deliver(201, asked)).isEqualTo(new Delivered.Completed());

      assertThat(bed.call("Export", "lost", 1)).isEqualTo("a document");
      assertThat(upstream.seen()).hasSize(1);
      assertThat(
              ledger
                  .sql()
                  .fetchSingle(RECEIPT, RECEIPT.OPERATION_ID.eq("Export:lost"))
                  .get(RECEIPT.SOURCE))
          .isEqualTo("attested");
    }
  }

  // case H5
  @Test
  void of_an_older_generation_or_another_execution_it_is_set_aside_and_never_closes()
      throws IOException {
    try (HttpUpstream upstream = losing()) {
      fail(upstream, "rebound");

      assertThat(deliver(201, with("Holdfast-Epoch", "1"))).isEqualTo(new Delivered.SetAside());
      assertThat(deliver(201, with("Holdfast-Generation", "7")))
          .isEqualTo(new Delivered.SetAside());

      assertThat(bed.state("Export:rebound")).isEqualTo("unknown, 1 open");
      assertThat(observations("rebound"))
          .containsExactly("timed_out demoted", "succeeded quarantined", "succeeded quarantined");
      assertThat(deliver(201, asked)).isEqualTo(new Delivered.Completed());
    }
  }

  @Test
  void what_is_not_believed_or_no_success_leaves_the_operation_as_it_was() throws IOException {
    try (HttpUpstream upstream = losing()) {
      fail(upstream, "kept");
      String before = row("kept");

      Map<String, String> unsigned = new HashMap<>(asked);
      unsigned.put("Holdfast-Status", "201");
      assertThat(deliveries.accept(message(unsigned), TEXT))
          .isEqualTo(new Delivered.NotBelieved(Refusal.UNSIGNED));
      assertThat(deliver(422, asked)).isEqualTo(new Delivered.NoSuccess(422));
      assertThat(deliver(201, with("Holdfast-Dispatch", ":dXBsb2Fk:")))
          .isEqualTo(new Delivered.NotBelieved(Refusal.OTHER_DISPATCH));
      assertThat(deliver(201, with("Holdfast-Operation", ":T3RoZXI6a2VwdA==:")))
          .isEqualTo(new Delivered.NotBelieved(Refusal.OTHER_OPERATION));
      assertThat(deliver(201, with("Holdfast-Operation", ":RXhwb3J0Om5ldmVy:")))
          .isEqualTo(new Delivered.NobodysOperation());

      assertThat(row("kept")).isEqualTo(before);
      assertThat(reasons("kept")).containsExactly("status_503", "unsigned", "other_dispatch");
      assertThat(bed.state("Export:never")).isEqualTo("none");
      assertThat(counters.refusedDeliveries()).isEqualTo(3);
    }
  }

  @Test
  void ten_thousand_forged_ones_leave_one_row_for_each_reason_and_an_exact_count()
      throws IOException {
    try (HttpUpstream upstream = losing()) {
      fail(upstream, "flooded");
      String before = row("flooded");
      Signer stranger = Signer.ed25519("stranger");
      Map<String, String> forged = stranger.delivery(201, asked, BODY, Instant.now());
      Map<String, String> stale =
          SIGNER.delivery(201, asked, BODY, Instant.now().minusSeconds(600));

      for (int i = 0; i < 5_000; i++) {
        // the tuple is whatever its sender likes
        forged.put("holdfast-generation", Integer.toString(i));
        assertThat(deliveries.accept(message(forged), TEXT))
            .isEqualTo(new Delivered.NotBelieved(Refusal.UNKNOWN_KEY));
        assertThat(deliveries.accept(message(stale), TEXT))
            .isEqualTo(new Delivered.NotBelieved(Refusal.TOO_OLD));
      }

      assertThat(reasons("flooded")).containsExactly("status_503", "unknown_key", "too_old");
      assertThat(counters.refusedDeliveries()).isEqualTo(10_000);
      assertThat(row("flooded")).isEqualTo(before);
      assertThat(deliver(201, asked)).isEqualTo(new Delivered.Completed());
    }
  }

  @Test
  void a_flood_through_another_process_is_bounded_by_the_ledger_itself() throws IOException {
    try (HttpUpstream upstream = losing()) {
      fail(upstream, "again");
      Map<String, String> unsigned = Map.copyOf(asked);

      for (int i = 0; i < 20; i++) {
        assertThat(deliveries(new HoldfastCounters()).accept(message(unsigned), TEXT))
            .isEqualTo(new Delivered.NotBelieved(Refusal.UNSIGNED));
      }

      assertThat(reasons("again")).containsExactly("status_503", "unsigned");
    }
  }

  @Test
  void one_that_names_no_operation_is_counted_alone() {
    assertThat(deliveries.accept(message(Map.of()), TEXT))
        .isEqualTo(new Delivered.NotBelieved(Refusal.UNSIGNED));

    assertThat(counters.refusedDeliveries()).isEqualTo(1);
  }

  @Test
  void while_the_ledger_is_away_a_forger_hears_what_he_always_hears() throws IOException {
    Switch database = new Switch(ledger.dataSource());
    AttestedDeliveries cutOff = deliveries(database, new HoldfastCounters());
    try (HttpUpstream upstream = losing()) {
      fail(upstream, "away");
      database.turn(false);

      assertThat(cutOff.accept(message(asked), TEXT))
          .isEqualTo(new Delivered.NotBelieved(Refusal.UNSIGNED));
      assertThat(reasons("away")).containsExactly("status_503");

      database.turn(true);
      assertThat(cutOff.accept(message(asked), TEXT))
          .isEqualTo(new Delivered.NotBelieved(Refusal.UNSIGNED));
      assertThat(reasons("away")).containsExactly("status_503", "unsigned");
    }
  }

  @Test
  void a_reader_that_reads_no_result_of_the_method_stores_nothing() throws IOException {
    try (HttpUpstream upstream = losing()) {
      fail(upstream, "misread");
      SignedMessage signed = message(SIGNER.delivery(201, asked, BODY, Instant.now()));

      assertThatThrownBy(() -> deliveries.accept(signed, body -> 7))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("String");
      assertThat(bed.state("Export:misread")).isEqualTo("unknown, 1 open");
    }
  }

  @Test
  void without_a_verifier_there_are_no_deliveries() {
    assertThatThrownBy(
            () ->
                Holdfast.newBuilder(ledger.dataSource())
                    .buildDeliveries(AttestedTest.Exports.class, GlobalDataConverter.get()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("addEvidenceVerifier");
  }

  /** Does what it is asked, and says nothing of it. */
  private HttpUpstream losing() throws IOException {
    return HttpUpstream.answering(
        exchange -> {
          asked.putAll(SigningUpstream.asked(exchange));
          SigningUpstream.send(exchange, 503, BODY, Map.of());
        });
  }

  private void fail(HttpUpstream upstream, String key) {
    bed.start(
        options -> options.addEvidenceVerifier(AttestedTest.Exports.class, VERIFIER),
        new AttestedTest.ExportsImpl(upstream));
    var unused = Failures.of(() -> bed.call("Export", key, 1));
    assertThat(bed.state("Export:" + key)).isEqualTo("unknown, 1 open");
  }

  private Delivered deliver(int status, Map<String, String> fields) {
    return deliveries.accept(message(SIGNER.delivery(status, fields, BODY, Instant.now())), TEXT);
  }

  private Map<String, String> with(String field, String value) {
    Map<String, String> other = new HashMap<>(asked);
    other.put(field, value);
    return other;
  }

  private static SignedMessage message(Map<String, String> fields) {
    return SignedMessage.request(
        "POST",
        URI.create("https://worker.example/hook"),
        fields.entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, field -> List.of(field.getValue()))),
        BODY);
  }

  private List<String> observations(String key) {
    return ledger
        .sql()
        .selectFrom(OBSERVATION)
        .where(OBSERVATION.OPERATION_ID.eq("Export:" + key))
        .orderBy(OBSERVATION.OBSERVATION_NUMBER)
        .fetch(row -> row.get(OBSERVATION.KIND) + " " + row.get(OBSERVATION.DISPOSITION));
  }

  private List<String> reasons(String key) {
    return ledger
        .sql()
        .selectFrom(OBSERVATION)
        .where(OBSERVATION.OPERATION_ID.eq("Export:" + key))
        .orderBy(OBSERVATION.OBSERVATION_NUMBER)
        .fetch(OBSERVATION.REASON);
  }

  private String row(String key) {
    return ledger.sql().fetch(OPERATION, OPERATION.OPERATION_ID.eq("Export:" + key)).toString();
  }
}
