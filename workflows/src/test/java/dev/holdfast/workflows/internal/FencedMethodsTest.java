package dev.holdfast.workflows.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.holdfast.EvidenceGeneration;
import dev.holdfast.EvidenceRule;
import dev.holdfast.Fenced;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationKey;
import dev.holdfast.OperationRef;
import dev.holdfast.PayloadPolicy;
import dev.holdfast.RequiresCompleted;
import dev.holdfast.ResourceName;
import dev.holdfast.TerminalPolicy;
import dev.holdfast.UpstreamContract;
import dev.holdfast.WhenUnknown;
import io.temporal.activity.ActivityInterface;
import io.temporal.activity.ActivityMethod;
import io.temporal.activity.DynamicActivity;
import io.temporal.common.converter.EncodedValues;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FencedMethodsTest {
  /** Fenced on the interface, on the class, and not at all. */
  @ActivityInterface
  public interface Mixed {
    @Fenced(
        upstream = UpstreamContract.HONOURS_KEY,
        keyHorizon = "PT24H",
        inFlight = "PT1M",
        resource = "printer",
        evidence = EvidenceRule.RESULT,
        whenUnknown = WhenUnknown.FAIL,
        keyScope = KeyScope.RUN,
        payloadPolicy = PayloadPolicy.FIRST_COMMIT,
        terminalPolicy = TerminalPolicy.FIRST_COMMIT)
    void onInterface(@OperationKey String id);

    void onClass(String id);

    void plain(String id);

    @Fenced(upstream = UpstreamContract.OPAQUE, operation = "pinned")
    @ActivityMethod(name = "renamed:since")
    void pinned(@OperationKey String id);
  }

  /** The implementation; its own annotation on the interface's fenced method must lose. */
  public static class MixedActivities implements Mixed {
    @Override
    @Fenced(upstream = UpstreamContract.OPAQUE)
    public void onInterface(String id) {}

    @Override
    @Fenced(upstream = UpstreamContract.VERIFIABLE)
    public void onClass(@OperationKey String id) {}

    @Override
    public void plain(String id) {}

    @Override
    public void pinned(String id) {}
  }

  /** What a subclass proxy looks like: everything overridden, nothing annotated. */
  public static class SubclassProxy extends MixedActivities {
    @Override
    public void onInterface(String id) {}

    @Override
    public void onClass(String id) {}
  }

  /** As Spring's proxies have it. */
  public interface TargetClassAware {
    Class<?> getTargetClass();
  }

  @Nested
  class Look_up {
    @Test
    void the_interface_method_is_read_before_the_class_method() {
      Map<String, FencedMethod> fenced = FencedMethods.ofImplementation(new MixedActivities());

      assertThat(fenced).containsOnlyKeys("OnInterface", "OnClass", "renamed:since");
      assertThat(get(fenced, "OnInterface").upstream()).isEqualTo(UpstreamContract.HONOURS_KEY);
      assertThat(get(fenced, "OnClass").upstream()).isEqualTo(UpstreamContract.VERIFIABLE);
      assertThat(get(fenced, "renamed:since").operationType()).isEqualTo("pinned");
    }

    @Test
    void every_member_is_carried_over() {
      FencedMethod method =
          get(FencedMethods.ofImplementation(new MixedActivities()), "OnInterface");

      assertThat(method.keyHorizon()).contains(Duration.ofDays(1));
      assertThat(method.inFlight()).contains(Duration.ofMinutes(1));
      assertThat(method.resource()).contains(new ResourceName("printer"));
      assertThat(method.evidence()).isEqualTo(EvidenceRule.RESULT);
      assertThat(method.whenUnknown()).isEqualTo(WhenUnknown.FAIL);
      assertThat(method.keyScope()).isEqualTo(KeyScope.RUN);
      assertThat(method.payloadPolicy()).isEqualTo(PayloadPolicy.FIRST_COMMIT);
      assertThat(method.terminalPolicy()).isEqualTo(TerminalPolicy.FIRST_COMMIT);
      assertThat(method.operationType()).isEqualTo("OnInterface");
    }

    // case E1
    @Test
    void a_subclass_proxy_is_looked_through() {
      assertThat(FencedMethods.ofImplementation(new SubclassProxy()))
          .containsOnlyKeys("OnInterface", "OnClass", "renamed:since");
    }

    // case E1
    @Test
    void a_jdk_proxy_is_looked_through_to_its_interface() {
      Object proxy =
          Proxy.newProxyInstance(
              Mixed.class.getClassLoader(),
              new Class<?>[] {Mixed.class},
              (self, method, arguments) -> null);

      assertThat(FencedMethods.ofImplementation(proxy))
          .containsOnlyKeys("OnInterface", "renamed:since");
    }

    // case E1
    @Test
    void a_jdk_proxy_that_tells_its_class_is_looked_through_to_that() {
      Object proxy =
          Proxy.newProxyInstance(
              Mixed.class.getClassLoader(),
              new Class<?>[] {Mixed.class, TargetClassAware.class},
              (self, method, arguments) ->
                  method.getName().equals("getTargetClass") ? MixedActivities.class : null);

      assertThat(FencedMethods.ofImplementation(proxy))
          .containsOnlyKeys("OnInterface", "OnClass", "renamed:since");
    }

    @Test
    void a_dynamic_activity_has_no_methods() {
      DynamicActivity dynamic = (EncodedValues arguments) -> null;

      assertThat(FencedMethods.ofImplementation(dynamic)).isEmpty();
    }
  }

  @Nested
  class Refused {
    @Test
    void honours_key_without_key_horizon() {
      refused(NoHorizon.class, "keyHorizon");
    }

    @Test
    void no_operation_key() {
      refused(NoKey.class, "@OperationKey");
    }

    @Test
    void a_key_of_a_type_that_names_nothing() {
      refused(FloatingKey.class, "double");
    }

    @Test
    void two_scopes() {
      refused(TwoScopes.class, "@OperationScope");
    }

    @Test
    void a_gate_that_is_no_reference() {
      refused(NoReference.class, "OperationRef");
    }

    @Test
    void a_colon_in_the_activity_type_with_the_cure() {
      refused(Colon.class, "@Fenced(operation");
    }

    @Test
    void a_blank_resource() {
      refused(BlankResource.class, "blank");
    }

    @Test
    void evidence_of_a_live_generation_without_a_binding() {
      refused(LiveUnbound.class, "@BoundTo");
    }

    @Test
    void type_variables() {
      refused(Concrete.class, "type variables");
    }

    @ParameterizedTest
    @ValueSource(classes = {Negative.class, Zero.class, NoDuration.class, InFlightZero.class})
    void durations_that_are_negative_zero_or_none(Class<?> type) {
      refused(type, "duration");
    }

    @Test
    void a_fenced_class_method_that_is_no_activity() {
      assertThatThrownBy(() -> FencedMethods.ofClass(StrayActivities.class))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("StrayActivities.onClass");
    }

    private void refused(Class<?> type, String cure) {
      assertThatThrownBy(() -> FencedMethods.ofClass(type))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(cure)
          .hasMessageContaining(".work:");
    }
  }

  @Test
  void gates_are_single_references_and_lists_in_order_and_never_null() {
    FencedMethod gated = get(FencedMethods.ofClass(Gated.class), "Work");
    OperationRef one = Refs.ref("export", "e-1");
    OperationRef two = Refs.ref("export", "e-2");

    assertThat(gated.gates(new @Nullable Object[] {"k", one, List.of(two)}))
        .containsExactly(one, two);
    assertThatThrownBy(() -> gated.gates(new @Nullable Object[] {"k", null, List.of()}))
        .hasMessageContaining("reference is null");
  }

  private static FencedMethod get(Map<String, FencedMethod> methods, String type) {
    return Objects.requireNonNull(methods.get(type));
  }

  /** Two kinds of gate. */
  @ActivityInterface
  public interface Gated {
    @Fenced(upstream = UpstreamContract.OPAQUE)
    void work(
        @OperationKey String id,
        @RequiresCompleted OperationRef one,
        @RequiresCompleted List<OperationRef> several);
  }

  /** Refused. */
  @ActivityInterface
  public interface NoHorizon {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY)
    void work(@OperationKey String id);
  }

  /** Refused. */
  @ActivityInterface
  public interface NoKey {
    @Fenced(upstream = UpstreamContract.OPAQUE)
    void work(String id);
  }

  /** Refused. */
  @ActivityInterface
  public interface FloatingKey {
    @Fenced(upstream = UpstreamContract.OPAQUE)
    void work(@OperationKey double id);
  }

  /** Refused. */
  @ActivityInterface
  public interface TwoScopes {
    @Fenced(upstream = UpstreamContract.OPAQUE)
    void work(
        @OperationKey String id,
        @dev.holdfast.OperationScope String one,
        @dev.holdfast.OperationScope String two);
  }

  /** Refused. */
  @ActivityInterface
  public interface NoReference {
    @Fenced(upstream = UpstreamContract.OPAQUE)
    void work(@OperationKey String id, @RequiresCompleted String other);
  }

  /** Refused. */
  @ActivityInterface
  public interface Colon {
    @Fenced(upstream = UpstreamContract.OPAQUE)
    @ActivityMethod(name = "a:b")
    void work(@OperationKey String id);
  }

  /** Refused. */
  @ActivityInterface
  public interface BlankResource {
    @Fenced(upstream = UpstreamContract.OPAQUE, resource = " ")
    void work(@OperationKey String id);
  }

  /** Refused. */
  public interface Generic<T> {
    @Fenced(upstream = UpstreamContract.OPAQUE)
    void work(@OperationKey String id, T request);
  }

  /** Refused. */
  @ActivityInterface
  public interface Concrete extends Generic<String> {}

  /** Refused. */
  @ActivityInterface
  public interface LiveUnbound {
    @Fenced(upstream = UpstreamContract.OPAQUE, evidenceGeneration = EvidenceGeneration.LIVE)
    void work(@OperationKey String id);
  }

  /** Refused. */
  @ActivityInterface
  public interface Negative {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT-1H")
    void work(@OperationKey String id);
  }

  /** Refused. */
  @ActivityInterface
  public interface Zero {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "PT0S")
    void work(@OperationKey String id);
  }

  /** Refused. */
  @ActivityInterface
  public interface NoDuration {
    @Fenced(upstream = UpstreamContract.HONOURS_KEY, keyHorizon = "24 hours")
    void work(@OperationKey String id);
  }

  /** Refused. */
  @ActivityInterface
  public interface InFlightZero {
    @Fenced(upstream = UpstreamContract.OPAQUE, inFlight = "PT0S")
    void work(@OperationKey String id);
  }

  /** Refused: the annotation stands where it protects nothing. */
  public static final class StrayActivities extends MixedActivities {
    /** An overload that no interface has. */
    @Fenced(upstream = UpstreamContract.OPAQUE)
    public void onClass(@OperationKey long id) {}
  }
}
