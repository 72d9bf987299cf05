package dev.holdfast.workflows.internal;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.holdfast.BindingName;
import dev.holdfast.Generation;
import dev.holdfast.OperationId;
import dev.holdfast.OperationRef;
import dev.holdfast.PayloadPolicy;
import dev.holdfast.RequestFingerprint;
import dev.holdfast.Scope;
import dev.holdfast.TerminalPolicy;
import dev.holdfast.UpstreamContract;
import org.jspecify.annotations.Nullable;

/**
 * Which operation a look-up is about.
 *
 * @param required for a gate: epoch, effect and receipt must be these as well
 * @param attendance what may be done about the operation before it is told of; null to read only
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record LookupQuery(
    Scope scope,
    OperationId operation,
    RequestFingerprint fingerprint,
    Generation generation,
    @Nullable OperationRef required,
    @Nullable Attendance attendance) {

  /** Asks whether this very completion still stands. */
  public static LookupQuery of(OperationRef ref) {
    return new LookupQuery(
        ref.scope(), ref.operation(), ref.fingerprint(), ref.generation(), ref, null);
  }

  /**
   * All that a claim does short of granting, where nobody holds a live lease: a stored success is
   * picked up, and what nobody but a person can tell is parked.
   *
   * @param upstream what the activity declares of its upstream
   * @param payloadPolicy what happens where two successes disagree
   * @param terminalPolicy what happens where a success and a failure disagree
   * @param binding that it is requested under: once that is rotated, no claim finds out about an
   *     open attempt any more; null for none
   */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Attendance(
      UpstreamContract upstream,
      PayloadPolicy payloadPolicy,
      TerminalPolicy terminalPolicy,
      @Nullable BindingName binding) {

    /** As the method declares it. */
    static Attendance of(FencedMethod method, @Nullable BindingName binding) {
      return new Attendance(
          method.upstream(), method.payloadPolicy(), method.terminalPolicy(), binding);
    }
  }
}
