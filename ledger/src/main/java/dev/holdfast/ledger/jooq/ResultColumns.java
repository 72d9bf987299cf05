package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Sha256;
import dev.holdfast.ledger.StoredResult;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A stored result as its three columns, which {@code operation} and {@code observation} share.
 *
 * @param kind {@code value}, {@code null}, {@code void} or {@code not_stored}
 * @param encoded present for a value
 * @param digest present where the value was too large to be stored
 */
@SuppressWarnings("ArrayRecordComponent") // lives between a value and its bind parameters
record ResultColumns(String kind, byte @Nullable [] encoded, byte @Nullable [] digest) {

  static ResultColumns of(StoredResult result) {
    return switch (result) {
      case StoredResult.Value value -> new ResultColumns("value", value.encoded(), null);
      case StoredResult.Null absent -> new ResultColumns("null", null, null);
      case StoredResult.NoValue none -> new ResultColumns("void", null, null);
      case StoredResult.NotStored large ->
          new ResultColumns("not_stored", null, large.digest().bytes());
    };
  }

  static StoredResult read(String kind, byte @Nullable [] encoded, byte @Nullable [] digest) {
    return switch (kind) {
      case "value" -> new StoredResult.Value(Objects.requireNonNull(encoded, "result"));
      case "null" -> new StoredResult.Null();
      case "void" -> new StoredResult.NoValue();
      case "not_stored" ->
          new StoredResult.NotStored(
              Sha256.ofDigest(Objects.requireNonNull(digest, "result_sha256")));
      default -> throw new IllegalStateException("no kind of result: " + kind);
    };
  }
}
