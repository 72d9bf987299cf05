package dev.holdfast.activities.evidence;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.greenbytes.http.sfv.InnerList;
import org.greenbytes.http.sfv.Item;
import org.greenbytes.http.sfv.Parameters;
import org.greenbytes.http.sfv.StringItem;

/**
 * The bytes that a signer signed, rebuilt from the message (RFC 9421, section 2.5). Of the
 * parameters of a component only {@code req} is known: what another one changes cannot be rebuilt,
 * so a signature that uses it is refused.
 */
final class SignatureBase {
  private static final String OF_REQUEST = ";req";

  private SignatureBase() {}

  /**
   * @throws RefusedException it covers what the message does not hold
   */
  static byte[] of(InnerList covered, SignedMessage message) {
    StringBuilder base = new StringBuilder();
    Set<String> seen = new HashSet<>();
    for (Item<?> component : covered.get()) {
      String identifier = component.serialize();
      if (!(component instanceof StringItem name) || !seen.add(identifier)) {
        throw new RefusedException(Refusal.MALFORMED);
      }
      base.append(identifier).append(": ").append(value(name, message)).append('\n');
    }
    base.append("\"@signature-params\": ").append(covered.serialize());
    return base.toString().getBytes(US_ASCII);
  }

  private static String value(StringItem name, SignedMessage message) {
    Parameters parameters = name.getParams();
    SignedMessage of =
        switch (parameters.serialize()) {
          case "" -> message;
          case OF_REQUEST -> message.request().orElseThrow(SignatureBase::unknown);
          default -> throw unknown();
        };
    Optional<String> value = of.component(name.get());
    return value.filter(SignatureBase::isVisible).orElseThrow(SignatureBase::unknown);
  }

  /** A line break would let one component speak for two. */
  private static boolean isVisible(String value) {
    return value.chars().allMatch(c -> c == '\t' || (c >= ' ' && c <= '~'));
  }

  private static RefusedException unknown() {
    return new RefusedException(Refusal.COVERS_UNKNOWN);
  }
}
