package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.HONOURS_KEY;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import org.jspecify.annotations.Nullable;

/** One fenced activity whose effect the test decides. */
@ActivityInterface
public interface EffectActivities {
  @Fenced(upstream = HONOURS_KEY, keyHorizon = "PT24H")
  @Nullable String effect(@OperationKey @Nullable String key, @Nullable String request);

  /** An effect of the test's own. */
  @FunctionalInterface
  interface Effect {
    @Nullable String run(@Nullable String request) throws Exception;
  }

  /** The activity around an effect. */
  static EffectActivities of(Effect effect) {
    return new Impl(effect);
  }

  /** The implementation; a class of its own, as the SDK demands. */
  final class Impl implements EffectActivities {
    private final Effect effect;

    Impl(Effect effect) {
      this.effect = effect;
    }

    @Override
    public @Nullable String effect(@Nullable String key, @Nullable String request) {
      try {
        return effect.run(request);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw Activity.wrap(e);
      }
    }
  }
}
