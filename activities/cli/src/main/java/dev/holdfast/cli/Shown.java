package dev.holdfast.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.protobuf.ByteString;
import dev.holdfast.activities.internal.UpstreamKeys;
import dev.holdfast.ledger.ActId;
import dev.holdfast.ledger.ActTerms;
import dev.holdfast.ledger.Claim;
import dev.holdfast.ledger.ClaimId;
import dev.holdfast.ledger.Decision;
import dev.holdfast.ledger.EffectId;
import dev.holdfast.ledger.OperationStory;
import dev.holdfast.ledger.OperatorActs;
import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import io.temporal.api.common.v1.Payload;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the upstream showed to the person who says that the effect happened. */
final class Shown {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  @Option(
      names = "--result",
      paramLabel = "JSON",
      description = {
        "with --happened: what the activity would have returned, as plain JSON. Workers whose"
            + " codec",
        "refuses plain payloads cannot read it. Without it the workflow gets",
        "ResultNotTransportable: the effect is known to be done, its result is not"
      })
  private @Nullable String result;

  @Option(names = "--void", description = "with --happened: the activity returns nothing")
  private boolean nothing;

  @Option(
      names = "--status",
      paramLabel = "CODE",
      description = "with --happened or --failed: the upstream's own status (default: 200, 0)")
  private @Nullable Integer status;

  @Option(
      names = "--effect",
      paramLabel = "ID",
      description = {
        "with --happened: what a late witness will name it by, the upstream's own id of it",
        "(default: the only open attempt's)"
      })
  private @Nullable String effect;

  @Option(
      names = "--upstream-key",
      description = {
        "with --happened: name it by the key that was sent to the upstream, where the upstream",
        "honours keys (default where it waits for 'key_horizon')"
      })
  private boolean upstreamKey;

  @Option(
      names = "--attempt",
      paramLabel = "CLAIM",
      description = "with --happened: whose effect it is, where several attempts are open")
  private @Nullable UUID attempt;

  @Option(
      names = "--evidence",
      paramLabel = "FILE",
      description = {
        "with --happened: what the upstream showed; its SHA-256 is kept, never the file",
        "(default: that of the reason)"
      })
  private @Nullable Path evidence;

  int status() {
    return status == null ? 0 : status;
  }

  /** They tell of an effect: with another verdict they would be passed over in silence. */
  void refuseAll() {
    if (result != null
        || nothing
        || effect != null
        || upstreamKey
        || attempt != null
        || evidence != null) {
      throw new IllegalArgumentException(
          "--result, --void, --effect, --upstream-key, --attempt and --evidence go with"
              + " --happened");
    }
  }

  /** Nobody answered of what did not happen, and of a conflict the receipt says it. */
  void refuseStatus() {
    if (status != null) {
      throw new IllegalArgumentException("--status goes with --happened and --failed");
    }
  }

  Decision happened(OperatorActs acts, ActTerms terms) {
    if (result != null && nothing) {
      throw new IllegalArgumentException("--result and --void exclude each other");
    }
    if (effect != null && upstreamKey) {
      throw new IllegalArgumentException("--effect and --upstream-key exclude each other");
    }
    Sha256 digest = digest(terms.reason());
    return new Decision.Happened(
        effect(acts, terms),
        status == null ? 200 : status,
        digest,
        stored(digest),
        attempt == null ? null : new ClaimId(attempt));
  }

  private @Nullable EffectId effect(OperatorActs acts, ActTerms terms) {
    if (effect != null) {
      return new EffectId(effect);
    }
    return acts.show(terms.scope(), terms.operation())
        .filter(story -> upstreamKey || isNamedByKey(story, terms.id()))
        .map(OperationStory::operation)
        .map(view -> new EffectId(UpstreamKeys.of(view.reservation(), view.epoch(), "").value()))
        .orElse(null);
  }

  /** Parked so, nobody but the upstream's key can name the effect. */
  private static boolean isForgotten(@Nullable String reason) {
    return Claim.Parked.KEY_HORIZON.equals(reason);
  }

  /** Ordered again it names what it named then, although nothing waits any more. */
  private static boolean isNamedByKey(OperationStory story, ActId id) {
    return isForgotten(story.operation().parkedReason())
        || story.acts().stream()
            .filter(act -> act.id().equals(id))
            .anyMatch(act -> isForgotten(act.parkedReason()));
  }

  private Sha256 digest(String reason) {
    if (evidence == null) {
      return Sha256.ofUtf8(reason);
    }
    try {
      return Sha256.of(Files.readAllBytes(evidence));
    } catch (IOException e) {
      throw new IllegalArgumentException("--evidence cannot be read", e);
    }
  }

  private StoredResult stored(Sha256 digest) {
    if (nothing) {
      return new StoredResult.NoValue();
    }
    if (result == null) {
      return new StoredResult.NotStored(digest);
    }
    JsonNode value = parsed(result);
    return value.isNull()
        ? new StoredResult.Null()
        : new StoredResult.Value(
            Payload.newBuilder()
                .putMetadata("encoding", ByteString.copyFromUtf8("json/plain"))
                .setData(ByteString.copyFrom(result, StandardCharsets.UTF_8))
                .build()
                .toByteArray());
  }

  private static JsonNode parsed(String json) {
    try {
      JsonNode value = JSON.readTree(json);
      if (value.isMissingNode()) {
        throw new IllegalArgumentException("--result is empty");
      }
      return value;
    } catch (JsonProcessingException e) {
      // its message quotes the text
      throw new IllegalArgumentException("--result is no JSON", e);
    }
  }
}
