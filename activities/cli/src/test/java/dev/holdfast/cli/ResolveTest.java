package dev.holdfast.cli;

import static dev.holdfast.ledger.jooq.generated.Tables.OPERATION;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.holdfast.activities.internal.UpstreamKeys;
import dev.holdfast.ledger.Epoch;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import dev.holdfast.ledger.testbed.LedgerAssert;
import dev.holdfast.ledger.testbed.Rows;
import dev.holdfast.ledger.testbed.StoredOperation;
import io.temporal.api.common.v1.Payload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code holdfast resolve} and {@code holdfast reopen}. */
class ResolveTest extends CliBed {
  private final UUID actId = UUID.randomUUID();

  ResolveTest(EmbeddedLedger ledger) {
    super(ledger);
  }

  private StoredOperation stored() {
    return StoredOperation.of(ledger, document);
  }

  @Test
  void what_happened_is_completed_with_the_result_as_told() throws InvalidProtocolBufferException {
    parked().insert();

    Run run = act("resolve", "--happened", "--result={\"id\":7}", "--act-id=" + actId);

    assertThat(run)
        .isEqualTo(
            new Run(
                0,
                """
                operation  %s
                act        %s
                before     unknown
                parked     open_attempt
                after      completed
                dryRun     false
                workflows:
                  namespace  workflow    answer
                  default    workflow-1  left alone
                """
                    .formatted(document.operation().text(), actId),
                ""));
    LedgerAssert.assertThat(stored())
        .isCompletedWith(Sha256.ofUtf8("asked by phone"))
        .has(OPERATION.EFFECT_ID, CLAIM.toString())
        .has(OPERATION.UPSTREAM_STATUS, 200);
    Payload result = Payload.parseFrom(Objects.requireNonNull(stored().get(OPERATION.RESULT)));
    assertThat(result.getMetadataOrThrow("encoding").toStringUtf8()).isEqualTo("json/plain");
    assertThat(result.getData().toStringUtf8()).isEqualTo("{\"id\":7}");
  }

  @Test
  void as_json_it_says_the_same() {
    parked().insert();

    assertThat(act("resolve", "--happened", "--void", "--output=json", "--act-id=" + actId).out())
        .isEqualTo(
            """
            {
              "operation" : "%s",
              "act" : "%s",
              "before" : "unknown",
              "parked" : "open_attempt",
              "after" : "completed",
              "dryRun" : false,
              "dependents" : [ ],
              "workflows" : [ {
                "namespace" : "default",
                "workflow" : "workflow-1",
                "answer" : "left alone"
              } ]
            }
            """
                .formatted(document.operation().text(), actId));
    LedgerAssert.assertThat(stored()).has(OPERATION.RESULT_KIND, "void");
  }

  @Test
  void every_act_is_recorded_with_actor_and_reason() {
    parkedPastItsHorizon().insert();
    assertThat(act("resolve", "--did-not-happen").code()).isZero();

    assertThat(story().acts())
        .singleElement()
        .satisfies(
            act -> {
              assertThat(act.actor()).isEqualTo("ann");
              assertThat(act.reason()).isEqualTo("asked by phone");
              assertThat(act.decision()).isEqualTo("did_not_happen");
              assertThat(act.forced()).isFalse();
            });
  }

  @Test
  void did_not_happen_is_refused_before_the_horizon() {
    clock.stopAt(NOW);
    parked().insert();
    StoredOperation before = stored();

    Run run = act("resolve", "--did-not-happen");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).contains("2026-01-02T05:03:05.678901Z", "--force");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void did_not_happen_is_refused_by_a_look_before_the_horizon() {
    parkedPastItsHorizon().insert();
    StoredOperation before = stored();

    Run run = act("resolve", "--did-not-happen", "--looked-at=2026-01-02T03:04:05.678901Z");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("look again", "--force");
    assertThat(stored()).isEqualTo(before);
    assertThat(act("resolve", "--did-not-happen", "--looked-at=" + story().shownAt()).code())
        .isZero();
  }

  @Test
  void forced_it_is_on_the_record() {
    parked().insert();

    assertThat(act("resolve", "--did-not-happen", "--force").code()).isZero();

    assertThat(story().acts()).singleElement().matches(OperationStory.Act::forced);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--happened", "--did-not-happen", "--failed=no_such"})
  void a_dry_run_says_what_would_be_and_changes_no_row(String verdict) {
    parkedPastItsHorizon().insert();
    StoredOperation before = stored();

    Run run = act("resolve", verdict, "--dry-run");

    assertThat(run.code()).isZero();
    assertThat(run.out())
        .containsSubsequence("dryRun     true", "default    workflow-1  would be told");
    assertThat(stored()).isEqualTo(before);
    assertThat(story().acts()).isEmpty();
  }

  @Test
  void what_failed_for_good_is_failed_with_its_word() {
    parkedPastItsHorizon().insert();

    assertThat(act("resolve", "--failed=no_such", "--status=404").code()).isZero();

    LedgerAssert.assertThat(stored())
        .isInState(OperationState.FAILED)
        .has(OPERATION.FAILURE_CODE, "no_such")
        .has(OPERATION.UPSTREAM_STATUS, 404);
  }

  @Test
  void of_a_conflict_the_receipt_may_stand() {
    Rows.of(ledger).conflict(document).insert();

    assertThat(act("resolve", "--receipt-stands").code()).isZero();

    LedgerAssert.assertThat(stored()).isCompletedWith(Rows.RESPONSE);
  }

  @Test
  void where_the_key_may_be_forgotten_the_effect_is_named_by_it() {
    parked().with(OPERATION.PARKED_REASON, "key_horizon").insert();

    assertThat(act("resolve", "--happened", "--void").code()).isZero();

    LedgerAssert.assertThat(stored())
        .has(OPERATION.EFFECT_ID, UpstreamKeys.of(document, new Epoch(0), "").value());
  }

  @Test
  void ordered_again_it_is_the_same_order_although_nothing_waits_any_more() {
    parked().with(OPERATION.PARKED_REASON, "key_horizon").insert();
    String id = "--act-id=" + actId;
    assertThat(act("resolve", "--happened", "--void", id).code()).isZero();

    assertThat(act("resolve", "--happened", "--void", id).code()).isZero();
    assertThat(act("resolve", "--happened", "--void", "--effect=another", id).code()).isEqualTo(1);
  }

  @Test
  void the_evidence_is_kept_as_its_digest(@TempDir Path folder) throws IOException {
    parked().insert();
    Path letter = Files.writeString(folder.resolve("letter"), "we did it");

    assertThat(act("resolve", "--happened", "--effect=upstream-7", "--evidence=" + letter).code())
        .isZero();

    LedgerAssert.assertThat(stored())
        .isCompletedWith(Sha256.ofUtf8("we did it"))
        .has(OPERATION.EFFECT_ID, "upstream-7")
        .has(OPERATION.RESULT_KIND, "not_stored");
  }

  @Test
  void what_moved_since_the_person_looked_is_refused() {
    parked().insert();

    Run run = act("resolve", "--happened", "--revision=7");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("unknown at revision 1");
  }

  @Test
  void a_live_lease_is_refused() {
    Rows.of(ledger).inProgress(document).insert();

    Run run = act("resolve", "--happened");

    assertThat(run.code()).isEqualTo(1);
    assertThat(run.err()).contains("lease");
  }

  @Test
  void a_settled_operation_is_reopened() {
    Rows.of(ledger).completed(document).insert();

    assertThat(act("resolve", "--happened").err()).contains("reopen");
    assertThat(act("reopen").code()).isZero();

    LedgerAssert.assertThat(stored()).isInState(OperationState.UNKNOWN).has(OPERATION.EPOCH, 1);
    assertThat(act("reopen").code()).isEqualTo(1);
  }

  @Test
  void what_nobody_claimed_is_refused() {
    assertThat(act("resolve", "--happened"))
        .isEqualTo(new Run(1, "", "nobody claimed this operation\n"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--happened --did-not-happen",
        "--did-not-happen --void",
        "--happened --void --result=1",
        "--happened --effect=a --upstream-key",
        "--happened --result={secret",
        "--happened --effect=",
        "--happened --evidence=/no/such/file",
        "--happened --revision=0",
        "--happened --looked-at=2026-01-02T03:04:05Z",
        "--receipt-stands --looked-at=2026-01-02T03:04:05Z",
        "--did-not-happen --looked-at=yesterday",
        "--happened --attempt=x",
        "--happened --act-id=x",
        "--happened --actor=",
        "--happened --void --force",
        "--receipt-stands --force",
        "--receipt-stands --status=200",
        "--did-not-happen --status=404"
      })
  void what_is_not_understood_changes_nothing(String arguments) {
    parked().insert();
    StoredOperation before = stored();

    Run run = act("resolve", arguments.isEmpty() ? new String[0] : arguments.split(" "));

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).isNotBlank().doesNotContain("secret");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  void who_shall_be_told_is_known_before_anything_is_done() {
    parked().insert();

    Run run =
        run(
            "resolve",
            "--scope=tenant",
            document.operation().text(),
            "--happened",
            "--actor=ann",
            "--reason=asked by phone",
            "--temporal=");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).contains("--no-signal");
    LedgerAssert.assertThat(stored()).isParkedFor("open_attempt");
  }
}
