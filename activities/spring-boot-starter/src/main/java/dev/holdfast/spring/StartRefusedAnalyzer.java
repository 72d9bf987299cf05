package dev.holdfast.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a refusal without the stack that it came up through. */
final class StartRefusedAnalyzer extends AbstractFailureAnalyzer<StartRefusedException> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, StartRefusedException refused) {
    return new FailureAnalysis("Holdfast: " + refused.why() + ".", refused.cure() + ".", failure);
  }
}
