package dev.holdfast.spring;

import dev.holdfast.activities.Holdfast;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Hands the properties that were set to the plugin's builder, which knows the defaults. */
final class PluginOptions {
  private PluginOptions() {}

  static Holdfast.Builder of(DataSource source, HoldfastProperties properties) {
    return checked(
        () -> {
          Holdfast.Builder builder = Holdfast.newBuilder(source);
          set(properties.scope(), builder::setLedgerScope);
          set(properties.schema(), builder::setSchema);
          set(properties.lease(), builder::setLease);
          set(properties.margin(), builder::setMargin);
          set(properties.waitInPlace(), builder::setWaitInPlace);
          set(properties.sweepEvery(), builder::setSweepEvery);
          if (properties.workerName() != null) {
            builder.setWorkerName(properties.workerName().value());
          }
          set(properties.commitLevel(), builder::setCommitLevel);
          builder.addActivityInterfaces(properties.activityInterfaces().toArray(Class<?>[]::new));
          return builder;
        });
  }

  /** The plugin's own words for what cannot work, as a refusal of the properties. */
  static <T> T checked(Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new StartRefusedException(
          "the properties holdfast.* cannot work: " + e.getMessage(), "Correct them");
    }
  }

  private static <T> void set(@Nullable T value, Consumer<T> option) {
    if (value != null) {
      option.accept(value);
    }
  }
}
