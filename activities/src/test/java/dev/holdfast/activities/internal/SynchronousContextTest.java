package dev.holdfast.activities.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.holdfast.HoldfastFailures;
import io.temporal.activity.ActivityExecutionContext;
import io.temporal.api.common.v1.Payload;
import io.temporal.common.converter.RawValue;
import io.temporal.failure.ApplicationFailure;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class SynchronousContextTest {
  private static final RawValue LAST =
      new RawValue(Payload.newBuilder().setData(ByteString.copyFromUtf8("\"cursor-42\"")).build());

  private final List<@Nullable Object> heartbeats = new ArrayList<>();
  private final SynchronousContext context = new SynchronousContext(root());

  /** As the SDK's: once there was a heartbeat, its details are what is read, of whatever type. */
  private ActivityExecutionContext root() {
    return (ActivityExecutionContext)
        Proxy.newProxyInstance(
            ActivityExecutionContext.class.getClassLoader(),
            new Class<?>[] {ActivityExecutionContext.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "heartbeat" -> {
                    heartbeats.add(arguments[0]);
                    yield null;
                  }
                  case "getLastHeartbeatDetails" ->
                      Optional.of(arguments[0] == RawValue.class ? LAST : "cursor-42");
                  case "getHeartbeatDetails" -> Optional.ofNullable(heartbeats.getLast());
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  @Test
  void a_heartbeat_of_the_barrier_carries_the_details_of_the_last_attempt_on() {
    context.heartbeat();

    assertThat(heartbeats).containsExactly(LAST);
    assertThat(context.getHeartbeatDetails(String.class)).contains("cursor-42");
  }

  @Test
  void once_the_activity_heartbeats_its_own_details_are_read() {
    context.heartbeat();
    context.heartbeat("cursor-43");

    assertThat(context.getHeartbeatDetails(String.class)).contains("cursor-43");
  }

  @Test
  void while_the_activity_runs_only_its_own_heartbeats_are_sent_once_there_is_one() {
    context.whileActivityRuns(
        () -> {
          assertThat(context.heartbeatAside()).isTrue();
          context.heartbeat("cursor-43");
          assertThat(context.heartbeatAside()).isTrue();
          return "done";
        });

    assertThat(heartbeats).containsExactly(LAST, "cursor-43");
  }

  @Test
  void after_the_activity_its_last_details_are_sent_on() {
    context.whileActivityRuns(
        () -> {
          context.heartbeat("cursor-43");
          return "done";
        });

    assertThat(context.heartbeatAside()).isTrue();
    assertThat(heartbeats).containsExactly("cursor-43", "cursor-43");
  }

  @Test
  void once_the_attempt_is_over_nothing_is_sent() {
    context.end();

    assertThat(context.heartbeatAside()).isFalse();
    assertThat(heartbeats).isEmpty();
  }

  @Test
  void after_a_dispatch_the_refusal_does_not_say_that_nothing_was_done() {
    OpenEffect effect = OpenEffect.of("export");

    assertThatThrownBy(
            () ->
                effect.run(
                    current -> {
                      var unused = effect.scope().dispatch().begin();
                      context.doNotCompleteOnReturn();
                      return null;
                    }))
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> {
              assertThat(failure.getType()).isEqualTo(HoldfastFailures.UPSTREAM_UNVERIFIED);
              assertThat(failure.isNonRetryable()).isTrue();
            });
  }

  @Test
  void completing_elsewhere_is_refused_and_never_reaches_the_sdk() {
    assertThatThrownBy(context::doNotCompleteOnReturn)
        .isInstanceOfSatisfying(
            ApplicationFailure.class,
            failure -> assertThat(failure.getType()).isEqualTo(HoldfastFailures.NOT_PROTECTABLE));
    assertThatThrownBy(context::useLocalManualCompletion)
        .isInstanceOfSatisfying(
            ApplicationFailure.class, failure -> assertThat(failure.isNonRetryable()).isTrue());
  }
}
