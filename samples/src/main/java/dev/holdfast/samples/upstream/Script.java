package dev.holdfast.samples.upstream;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** How the next requests will be treated, one behaviour each; normal when it ran out. */
final class Script {

  private final Queue<Behaviour> coming = new ConcurrentLinkedQueue<>();

  void add(List<Behaviour> behaviours) {
    coming.addAll(behaviours);
  }

  void clear() {
    coming.clear();
  }

  Behaviour next() {
    Behaviour next = coming.poll();
    return next == null ? new Behaviour.Normal() : next;
  }
}
