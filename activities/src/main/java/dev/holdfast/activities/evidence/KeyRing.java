package dev.holdfast.activities.evidence;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The keys of one upstream by name: the current one, and those before and after it. */
final class KeyRing {
  private final Map<KeyId, VerificationKey> keys = new LinkedHashMap<>();

  /**
   * @throws IllegalArgumentException none, or two of one name
   */
  KeyRing(Collection<VerificationKey> keys) {
    for (VerificationKey key : keys) {
      if (this.keys.put(key.id(), key) != null) {
        throw new IllegalArgumentException("two keys are named " + key.id());
      }
    }
    if (this.keys.isEmpty()) {
      throw new IllegalArgumentException("a verifier without a key believes nobody");
    }
  }

  Optional<VerificationKey> find(KeyId id) {
    return Optional.ofNullable(keys.get(id));
  }

  Collection<VerificationKey> all() {
    return keys.values();
  }
}
