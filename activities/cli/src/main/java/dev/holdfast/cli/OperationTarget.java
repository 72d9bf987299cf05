package dev.holdfast.cli;

import dev.holdfast.ledger.OperationId;
import dev.holdfast.ledger.Scope;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** Which operation. */
final class OperationTarget {
  @Option(
      names = "--scope",
      required = true,
      paramLabel = "SCOPE",
      converter = ToScope.class,
      description = "the tenant boundary, as `list` prints it")
  private Scope scope = new Scope("unset");

  @Parameters(
      index = "0",
      paramLabel = "OPERATION",
      converter = ToOperation.class,
      description = "type and key, as `list` prints them: export:invoice-17")
  private OperationId operation = new OperationId("unset", "unset");

  Scope scope() {
    return scope;
  }

  OperationId operation() {
    return operation;
  }

  /** Says what is wrong with a name in the ledger's own words. */
  static final class ToScope implements ITypeConverter<Scope> {
    @Override
    public Scope convert(String text) {
      try {
        return new Scope(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Says what is wrong with an id in the ledger's own words. */
  static final class ToOperation implements ITypeConverter<OperationId> {
    @Override
    public OperationId convert(String text) {
      try {
        return OperationId.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
