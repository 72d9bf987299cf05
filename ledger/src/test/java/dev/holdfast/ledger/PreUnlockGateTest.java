package dev.holdfast.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.ledger.PreUnlockGate.Authorised;
import dev.holdfast.ledger.PreUnlockGate.LeaseState;
import dev.holdfast.ledger.PreUnlockGate.ReceiptState;
import dev.holdfast.ledger.PreUnlockGate.Refusal;
import dev.holdfast.ledger.PreUnlockGate.Refused;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each refusal of the seed, by its name, in its order. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PreUnlockGateTest {
  private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");
  private static final Duration MARGIN = Duration.ofMillis(50);
  private static final ResourceId DOCUMENT = ResourceId.of(new OperationId("export", "doc-1"));
  private static final ResourceId PRINTER = ResourceId.shared("printer");
  private static final String REQUEST = Sha256.ofUtf8("request").hex();
  private static final String RESPONSE = Sha256.ofUtf8("response").hex();

  private final PreUnlockGate gate = new PreUnlockGate(new LeaseMargin(MARGIN));

  @Test
  void a_durable_receipt_of_the_holder_releases_the_lease() {
    assertThat(judge(new Case())).isInstanceOf(Authorised.class);
  }

  @Test
  void a_lease_that_was_given_up_before_is_not_given_up_again() {
    assertThat(judge(new Case().with(Refusal.NOT_HELD))).isEqualTo(refused(Refusal.NOT_HELD));
  }

  @Test
  void a_receipt_of_another_resource_releases_nothing() {
    assertThat(judge(new Case().with(Refusal.OTHER_RESOURCE)))
        .isEqualTo(refused(Refusal.OTHER_RESOURCE));
  }

  @Test
  void a_receipt_under_an_older_token_releases_nothing() {
    assertThat(judge(new Case().with(Refusal.TOKEN_DIFFERS)))
        .isEqualTo(refused(Refusal.TOKEN_DIFFERS));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void equal_tokens_that_are_no_tokens_release_nothing(long none) {
    Case unfenced = new Case();
    unfenced.token = none;
    unfenced.holderToken = none;

    assertThat(judge(unfenced)).isEqualTo(refused(Refusal.TOKEN_NOT_POSITIVE));
  }

  @Test
  void a_receipt_that_is_not_surely_durable_releases_nothing() {
    assertThat(judge(new Case().with(Refusal.NOT_DURABLE))).isEqualTo(refused(Refusal.NOT_DURABLE));
  }

  @Test
  void a_receipt_from_the_future_releases_nothing() {
    Case early = new Case();
    early.committedAt = NOW.plusNanos(1);

    assertThat(judge(early)).isEqualTo(refused(Refusal.COMMIT_IN_THE_FUTURE));
  }

  @Test
  void a_receipt_of_this_very_instant_is_not_from_the_future() {
    Case sudden = new Case();
    sudden.committedAt = NOW;

    assertThat(judge(sudden)).isInstanceOf(Authorised.class);
  }

  @Test
  void exactly_the_margin_is_enough() {
    Case exact = new Case();
    exact.expiresAt = NOW.plus(MARGIN);

    assertThat(judge(exact)).isInstanceOf(Authorised.class);
  }

  @Test
  void a_nanosecond_less_than_the_margin_is_too_thin() {
    Case thin = new Case();
    thin.expiresAt = NOW.plus(MARGIN).minusNanos(1);

    assertThat(judge(thin)).isEqualTo(refused(Refusal.MARGIN_TOO_THIN));
  }

  @Test
  void a_lease_that_is_over_is_left_alone() {
    Case over = new Case();
    over.expiresAt = NOW.minusSeconds(1);

    assertThat(judge(over)).isEqualTo(refused(Refusal.MARGIN_TOO_THIN));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", " ", "\t\n", "\u00a0"})
  void a_receipt_without_a_key_releases_nothing(@Nullable String none) {
    Case keyless = new Case();
    keyless.key = none;

    assertThat(judge(keyless)).isEqualTo(refused(Refusal.KEY_MISSING));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "  ", "e3b0", "no digest"})
  void a_receipt_that_does_not_bind_the_request_releases_nothing(@Nullable String none) {
    Case unbound = new Case();
    unbound.request = none;

    assertThat(judge(unbound)).isEqualTo(refused(Refusal.REQUEST_DIGEST_MISSING));
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"", "  ", "e3b0", "no digest"})
  void a_receipt_that_does_not_bind_the_response_releases_nothing(@Nullable String none) {
    Case unbound = new Case();
    unbound.response = none;

    assertThat(judge(unbound)).isEqualTo(refused(Refusal.RESPONSE_DIGEST_MISSING));
  }

  @ParameterizedTest
  @EnumSource
  void of_several_reasons_the_first_in_the_order_of_the_seed_is_named(Refusal first) {
    Case broken = new Case();
    Set<Refusal> fromHereOn = EnumSet.range(first, Refusal.RESPONSE_DIGEST_MISSING);
    fromHereOn.forEach(broken::with);

    assertThat(judge(broken)).isEqualTo(refused(first));
  }

  @Test
  void the_release_digest_binds_the_request_which_the_seed_left_out() {
    Case other = new Case();
    other.request = Sha256.ofUtf8("another request").hex();

    assertThat(judge(other)).isInstanceOf(Authorised.class).isNotEqualTo(judge(new Case()));
  }

  @Test
  void a_refusal_shows_no_key() {
    assertThat(new Case().receipt().toString()).doesNotContain("doc-1");
  }

  private PreUnlockGate.Decision judge(Case judged) {
    return gate.authorise(judged.lease(), judged.receipt(), NOW);
  }

  private static Refused refused(Refusal refusal) {
    return new Refused(refusal);
  }

  /** A release that is in order, and the ways to spoil it. */
  private static final class Case {
    boolean held = true;
    ResourceId resource = DOCUMENT;
    long token = 7;
    long holderToken = 7;
    boolean durable = true;
    Instant committedAt = NOW.minusMillis(3);
    Instant expiresAt = NOW.plusSeconds(20);
    @Nullable String key = "export:doc-1";
    @Nullable String request = REQUEST;
    @Nullable String response = RESPONSE;

    Case with(Refusal spoiled) {
      switch (spoiled) {
        case NOT_HELD -> held = false;
        case OTHER_RESOURCE -> resource = PRINTER;
        case TOKEN_DIFFERS -> holderToken++;
        case TOKEN_NOT_POSITIVE -> {
          holderToken -= token;
          token = 0;
        }
        case NOT_DURABLE -> durable = false;
        case COMMIT_IN_THE_FUTURE -> committedAt = NOW.plusSeconds(1);
        case MARGIN_TOO_THIN -> expiresAt = NOW.plusMillis(49);
        case KEY_MISSING -> key = null;
        case REQUEST_DIGEST_MISSING -> request = null;
        case RESPONSE_DIGEST_MISSING -> response = null;
      }
      return this;
    }

    LeaseState lease() {
      return new LeaseState(DOCUMENT, holderToken, expiresAt, held);
    }

    ReceiptState receipt() {
      return new ReceiptState(
          new Scope("tenant"), resource, token, key, request, response, committedAt, durable);
    }
  }
}
