package dev.holdfast.ledger.testbed;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Injects an {@link EmbeddedLedger} into constructors and methods of a test class: one for the
 * class and its nested classes, closed after its last test.
 */
public final class LedgerExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(LedgerExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == EmbeddedLedger.class;
  }

  @Override
  public EmbeddedLedger resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return ofClass(context)
        .getStore(NAMESPACE)
        .computeIfAbsent(EmbeddedLedger.class, key -> EmbeddedLedger.fresh(), EmbeddedLedger.class);
  }

  private static ExtensionContext ofClass(ExtensionContext context) {
    ExtensionContext outermost = context;
    while (outermost.getParent().filter(parent -> parent.getTestClass().isPresent()).isPresent()) {
      outermost = outermost.getParent().orElseThrow();
    }
    return outermost;
  }
}
