package dev.holdfast.ledger.jooq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.ledger.AttemptEnd;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.EvidenceGrade;
import dev.holdfast.ledger.Issuer;
import dev.holdfast.ledger.Lease;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.UpstreamResponse;
import dev.holdfast.ledger.UpstreamResponse.DigestRule;
import dev.holdfast.ledger.Verification;
import dev.holdfast.ledger.VerifiedResponse;
import dev.holdfast.ledger.settlement.OperationState;
import dev.holdfast.ledger.testbed.EmbeddedLedger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Hazard 3 of the seed: a receipt for an answer that nobody verified, which suppresses retries. */
class UnverifiedReceiptTest extends LossBed {
  private static final byte[] BODY = "half an answ".getBytes(StandardCharsets.UTF_8);
  private static final EffectId EFFECT = new EffectId("effect");

  UnverifiedReceiptTest(EmbeddedLedger embedded) {
    super(embedded);
  }

  /** The way past the verification that only the ledger itself has. */
  private static final class Forger extends Issuer {
    static VerifiedResponse neverVerified() {
      return stored(500, Sha256.ofUtf8("half an answ"), EFFECT, EvidenceGrade.WITNESSED);
    }
  }

  @Test
  void nothing_makes_a_verified_response_but_its_verification() {
    assertThat(VerifiedResponse.class.getConstructors()).isEmpty();
  }

  @Test
  void an_answer_without_an_end_or_with_another_digest_is_not_verified() {
    Sha256 whole = Sha256.ofUtf8("half an answer");
    UpstreamResponse notTheEnd = new UpstreamResponse(202, false, BODY, List.of(), EFFECT);
    UpstreamResponse cutOff = new UpstreamResponse(200, true, BODY, List.of(whole), EFFECT);
    UpstreamResponse unsigned = new UpstreamResponse(200, true, BODY, List.of(), EFFECT);

    assertThat(notTheEnd.verify(DigestRule.OPTIONAL)).isInstanceOf(Verification.Unverified.class);
    assertThat(cutOff.verify(DigestRule.OPTIONAL)).isInstanceOf(Verification.Unverified.class);
    assertThat(unsigned.verify(DigestRule.REQUIRED)).isInstanceOf(Verification.Unverified.class);
  }

  @Test
  void an_unverified_answer_suppresses_no_retry() {
    Asking asking = Asking.about("unverified");
    ledger.end(asking.dispatched(ledger), new AttemptEnd.Unclear("unverified"));

    operation(asking).isInState(OperationState.UNKNOWN).hasReceipts(0).hasOpenAttempts(1);
    asking.granted(rival);
  }

  @Test
  void without_the_verification_a_retry_is_suppressed_by_it() {
    Asking asking = Asking.about("unverified-unguarded");
    Lease lease = asking.dispatched(ledger);

    committed(ledger.settle(lease, Forger.neverVerified(), Asking.RESULT));

    assertThat(asking.claim(rival)).isInstanceOf(Claim.Replay.class);
  }

  @Test
  void the_database_takes_no_receipt_without_a_digest() {
    try (EmbeddedLedger defenceless = EmbeddedLedger.fresh()) {
      JooqLedger own = JooqLedger.open(defenceless.dataSource(), LedgerOptions.standard());
      Asking.about("digest").committed(own);
      String columns =
          defenceless
              .sql()
              .fetchSingle(
                  "select string_agg(attname, ', ' order by attnum) from pg_attribute"
                      + " where attrelid = 'receipt'::regclass and attnum > 0 and not attisdropped")
              .get(0, String.class);
      String values =
          columns.replace("response_sha256", "null").replace("fencing_token", "fencing_token + 1");
      String copy = "insert into receipt (" + columns + ") select " + values + " from receipt";

      assertThatThrownBy(() -> defenceless.sql().execute(copy))
          .hasMessageContaining("response_sha256");
      defenceless.sql().execute("alter table receipt alter response_sha256 drop not null");
      assertThat(defenceless.sql().execute(copy)).isEqualTo(1);
    }
  }
}
