package dev.holdfast.workflows.internal;

import java.math.BigDecimal;

/**
 * One text for one numeric value: the digits without trailing zeros, then {@code E} and the
 * exponent unless it is zero. So 1, 1.0 and 1E0 are {@code 1}, 100 is {@code 1E2}, 0.25 is {@code
 * 25E-2}.
 */
final class CanonicalNumber {
  private CanonicalNumber() {}

  static String of(BigDecimal value) {
    if (value.signum() == 0) {
      return "0";
    }
    BigDecimal stripped = value.stripTrailingZeros();
    String digits = stripped.unscaledValue().toString();
    // as a long, because the smallest int has no negative
    long exponent = -(long) stripped.scale();
    return exponent == 0 ? digits : digits + "E" + exponent;
  }
}
