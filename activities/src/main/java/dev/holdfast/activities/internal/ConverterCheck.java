package dev.holdfast.activities.internal;

import com.google.protobuf.ByteString;
import dev.holdfast.HoldfastFailures;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.DataConverter;
import io.temporal.common.converter.DataConverterException;
import io.temporal.common.converter.RawValue;
import java.util.Collections;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Checks, once for each converter and before the first claim, that it lets a raw payload through:
 * stored results and references travel as such. Safe for any thread.
 */
final class ConverterCheck {
  private static final Payload PROBE =
      Payload.newBuilder()
          .putMetadata("encoding", ByteString.copyFromUtf8("binary/plain"))
          .putMetadata("holdfast-probe", ByteString.copyFromUtf8("1"))
          .setData(ByteString.copyFromUtf8("probe"))
          .build();

  private final Set<DataConverter> fit =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /**
   * Refuses a converter that would change what the barrier sends.
   *
   * @param root the client's own, by which it is known
   * @param converter the same, in the context of the activity
   * @throws io.temporal.failure.ApplicationFailure {@code NotProtectable}
   */
  void refuseUnfit(DataConverter root, DataConverter converter) {
    if (fit.contains(root)) {
      return;
    }
    if (!carries(converter)) {
      throw HoldfastFailures.notProtectable(
          "converter",
          "the client's "
              + root.getClass().getName()
              + " does not let a RawValue through as it is, so no stored result could be replayed:"
              + " hand it to DefaultDataConverter or CodecDataConverter, which do");
    }
    fit.add(root);
  }

  private static boolean carries(DataConverter converter) {
    try {
      Payload sent = converter.toPayload(new RawValue(PROBE)).orElseThrow();
      RawValue back = converter.fromPayload(sent, RawValue.class, RawValue.class);
      return new RawValue(PROBE).equals(back);
    } catch (DataConverterException | ClassCastException | NoSuchElementException e) {
      return false;
    }
  }
}
