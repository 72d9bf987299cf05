package dev.holdfast.workflows.internal;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What a ledger would answer, in order; the last answer stays. */
final class ScriptedLedger implements LedgerLookup {
  final List<LookupQuery> queries = new CopyOnWriteArrayList<>();
  private final Queue<Supplier<LookedUp>> answers = new ConcurrentLinkedQueue<>();
  private volatile Supplier<LookedUp> last = () -> row(LookedUp.State.ABSENT, 0);

  ScriptedLedger then(Supplier<LookedUp> answer) {
    answers.add(answer);
    return this;
  }

  ScriptedLedger then(LookedUp answer) {
    return then(() -> answer);
  }

  @Override
  public LookedUp lookUp(LookupQuery query) {
    queries.add(query);
    Supplier<LookedUp> next = answers.poll();
    if (next != null) {
      last = next;
    }
    return last.get();
  }

  static LookedUp row(LookedUp.State state, int openAttempts) {
    return LookedUp.open(state, openAttempts, 0);
  }

  static LookedUp completed(LookedUp.ResultKind kind, @Nullable StoredPayload result) {
    return new LookedUp(
        LookedUp.State.COMPLETED,
        0,
        0,
        Refs.ref("Export", "e-1"),
        new LookedUp.ActivityIdentity("wf", "run", "activity"),
        kind,
        result,
        null,
        null,
        null,
        null);
  }
}
