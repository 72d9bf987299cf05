package dev.holdfast.activities.bed;

import static dev.holdfast.UpstreamContract.OPAQUE;

import dev.holdfast.Fenced;
import dev.holdfast.OperationKey;
import io.temporal.activity.Activity;
import io.temporal.activity.ActivityInterface;
import org.jspecify.annotations.Nullable;

/** One fenced activity whose upstream honours no key and cannot be asked. */
@ActivityInterface
public interface NoticeActivities {
  @Fenced(upstream = OPAQUE, inFlight = "PT2S", operation = "Effect")
  @Nullable String post(@OperationKey String key, String request);

  /** The activity around an effect. */
  static NoticeActivities of(EffectActivities.Effect effect) {
    return new Impl(effect);
  }

  /** The implementation. */
  final class Impl implements NoticeActivities {
    private final EffectActivities.Effect effect;

    Impl(EffectActivities.Effect effect) {
      this.effect = effect;
    }

    @Override
    public @Nullable String post(String key, String request) {
      try {
        return effect.run(request);
      } catch (Exception e) {
        throw Activity.wrap(e);
      }
    }
  }
}
