package dev.holdfast.ledger.interleaving;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Another system that keeps its promise and nothing more; counts what it was made to do. */
final class Upstream {
  /** What it promises. */
  enum Contract {
    /** One effect for one key. */
    HONOURS_KEY,
    /** Can be asked; from the question on it refuses older tokens. */
    VERIFIABLE,
    OPAQUE
  }

  /** Something that it did, and for whom. */
  record Effect(String id, String claim) {}

  private final Contract contract;
  private final List<Effect> effects = new ArrayList<>();
  private int requests;
  private long fence;

  Upstream(Contract contract) {
    this.contract = contract;
  }

  Contract contract() {
    return contract;
  }

  /** A request arrives; empty where its token is refused. */
  Optional<Effect> send(String claim, long token) {
    requests++;
    if (token < fence) {
      return Optional.empty();
    }
    if (contract == Contract.HONOURS_KEY && !effects.isEmpty()) {
      return Optional.of(effects.getFirst());
    }
    Effect effect =
        new Effect(
            switch (contract) {
              case HONOURS_KEY -> "of-the-key";
              case VERIFIABLE -> "commit-" + (effects.size() + 1);
              case OPAQUE -> claim;
            },
            claim);
    effects.add(effect);
    return Optional.of(effect);
  }

  /** Did it happen? */
  Optional<Effect> ask(long token) {
    fence = Math.max(fence, token);
    return effects.stream().findFirst();
  }

  List<Effect> effects() {
    return effects;
  }

  int requests() {
    return requests;
  }
}
