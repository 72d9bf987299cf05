package dev.holdfast.workflows.internal;

import dev.holdfast.BindingRef;
import dev.holdfast.EvidenceGeneration;
import dev.holdfast.EvidenceRule;
import dev.holdfast.KeyScope;
import dev.holdfast.OperationRef;
import dev.holdfast.PayloadPolicy;
import dev.holdfast.ResourceName;
import dev.holdfast.Scope;
import dev.holdfast.TerminalPolicy;
import dev.holdfast.UpstreamContract;
import dev.holdfast.WhenUnknown;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The resolved {@code @Fenced} of one activity method, checked: what it declares, and which of its
 * parameters play which part.
 *
 * @param method the method of the activity interface
 * @param operationType first part of the operation id
 * @param keyHorizon for how long the upstream remembers a key, where declared
 * @param inFlight after which time a request can no longer land unseen, where declared
 * @param resource name of the shared resource, where declared
 */
public record FencedMethod(
    Method method,
    String operationType,
    UpstreamContract upstream,
    Optional<Duration> keyHorizon,
    Optional<Duration> inFlight,
    KeyScope keyScope,
    Optional<ResourceName> resource,
    EvidenceRule evidence,
    WhenUnknown whenUnknown,
    PayloadPolicy payloadPolicy,
    TerminalPolicy terminalPolicy,
    EvidenceGeneration evidenceGeneration,
    ParameterRoles roles) {

  /** The tenant that an argument names, where one is marked. */
  public Optional<Scope> scope(@Nullable Object[] arguments) {
    return roles.scope(arguments);
  }

  /** The binding that the effect is requested under, where a parameter is marked. */
  public Optional<BindingRef> binding(@Nullable Object[] arguments) {
    return roles.binding(arguments);
  }

  /** The operations that must be completed, in the order of the parameters. */
  public List<OperationRef> gates(@Nullable Object[] arguments) {
    return roles.gates(arguments);
  }
}
