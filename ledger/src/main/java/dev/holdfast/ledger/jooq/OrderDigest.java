package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.Rebind;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.settlement.Tuple;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One digest over all that a person orders, by which an act id that comes again is held to the
 * order that it was given to. Each part bears its length, so that no two orders read alike.
 *
 * <p>Neither the expected revision nor the instant of the person's look is part of it: they say
 * when the act may be done, not what is ordered. Nor is a dry run.
 */
final class OrderDigest {
  private static final int ABSENT = -1;

  private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

  private OrderDigest() {}

  static Sha256 of(ActTerms terms, Order order) {
    OrderDigest digest = new OrderDigest();
    digest.text(terms.scope().value());
    digest.text(terms.operation().text());
    digest.text(terms.actor());
    digest.text(terms.reason());
    digest.text(order.verb());
    digest.number(order.force() ? 1 : 0);
    digest.text(order.decisionWord());
    digest.decision(order.decision());
    digest.rebind(order.rebind());
    return Sha256.of(digest.parts.toByteArray());
  }

  private void decision(@Nullable Decision decision) {
    switch (decision) {
      case null -> {}
      case Decision.Happened happened -> happened(happened);
      case Decision.DidNotHappen not -> number(not.force() ? 1 : 0);
      case Decision.ReceiptStands stands -> {}
      case Decision.Failed failed -> {
        text(failed.failure().code());
        number(failed.failure().status());
        number(failed.force() ? 1 : 0);
      }
    }
  }

  private void happened(Decision.Happened happened) {
    EffectId effect = happened.effect();
    ClaimId attempt = happened.attempt();
    ResultColumns result = ResultColumns.of(happened.result());
    text(effect == null ? null : effect.value());
    number(happened.status());
    bytes(happened.evidence().bytes());
    text(result.kind());
    bytes(result.encoded());
    bytes(result.digest());
    text(attempt == null ? null : attempt.value().toString());
  }

  private void rebind(@Nullable Rebind rebind) {
    if (rebind == null) {
      return;
    }
    Tuple expected = rebind.expected();
    text(rebind.mode().name());
    text(expected.scope().value());
    text(expected.operation().text());
    text(expected.fingerprint().scheme());
    bytes(expected.fingerprint().digest().bytes());
    number(expected.generation().value());
    number(expected.epoch().value());
    number(rebind.to().value());
  }

  private void text(@Nullable String part) {
    bytes(part == null ? null : part.getBytes(StandardCharsets.UTF_8));
  }

  private void number(long part) {
    bytes(ByteBuffer.allocate(Long.BYTES).putLong(part).array());
  }

  private void bytes(byte @Nullable [] part) {
    int length = part == null ? ABSENT : part.length;
    parts.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    if (part != null) {
      parts.writeBytes(part);
    }
  }
}
