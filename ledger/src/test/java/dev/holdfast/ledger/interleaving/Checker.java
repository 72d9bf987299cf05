package dev.holdfast.ledger.interleaving;

import dev.holdfast.ledger.interleaving.Happening.What;
import dev.holdfast.ledger.interleaving.RawLedger.ClaimRow;
import dev.holdfast.ledger.interleaving.RawLedger.ReceiptRow;
import dev.holdfast.ledger.interleaving.Upstream.Contract;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Judges what was seen and what is stored by the requirement alone. */
final class Checker {
  private static final Set<What> GIVES_A_LEASE = EnumSet.of(What.GRANTED, What.ASKS);
  private static final Set<What> ENDS_A_LEASE = EnumSet.of(What.STALLED, What.GAVE_UP);
  private static final Set<What> IS_AN_END = EnumSet.of(What.COMMITTED, What.REPLAYED, What.PARKED);

  private final Upstream upstream;
  private final List<Happening> happened;
  private final RawLedger.Rows rows;
  private final List<String> violations = new ArrayList<>();

  private Checker(Scene scene) {
    this.upstream = scene.upstream();
    this.happened = scene.happened();
    this.rows = scene.raw().rows(scene.operation().operation().text());
  }

  /** What was wrong; nothing where all is well. */
  static List<String> violations(Scene scene, String closer) {
    Checker checker = new Checker(scene);
    checker.leases();
    checker.receipts();
    checker.effects();
    checker.gates();
    checker.counters();
    checker.end(closer);
    return checker.violations;
  }

  private void leases() {
    long highest = 0;
    long live = 0;
    for (Happening one : happened) {
      if (GIVES_A_LEASE.contains(one.what())) {
        must(one.token() > highest, "tokens rise: " + one);
        must(live == 0, "one holder at a time: " + one + " beside " + live);
        highest = one.token();
        live = one.token();
      } else if (one.what() == What.RELEASED) {
        must(one.token() == live, "releases what it holds: " + one);
        live = 0;
      } else if (ENDS_A_LEASE.contains(one.what()) && one.token() == live) {
        live = 0;
      } else if (one.what() == What.COMMITTED) {
        must(one.token() == live, "commits under a lease that lives: " + one);
        must(one.token() == highest, "commits under the highest token: " + one);
      }
    }
    for (int i = 1; i < rows.claims().size(); i++) {
      must(
          rows.claims().get(i).token() > rows.claims().get(i - 1).token(),
          "tokens rise in the rows");
    }
  }

  private void receipts() {
    must(rows.receipts().size() <= 1, "one receipt for operation and epoch");
    must(
        rows.state().equals("completed") == (rows.receipts().size() == 1),
        "completed if and only if there is a receipt");
    must(all(What.COMMITTED).size() <= 1, "one commit");
    for (ReceiptRow receipt : rows.receipts()) {
      must(receipt.number() == rows.receiptNumber(), "the operation names its receipt");
      for (ClaimRow claim : rows.claims()) {
        must(
            claim.token() <= receipt.token() || claim.claimedAt().isAfter(receipt.committedAt()),
            "no commit under an old token");
      }
      for (Happening committed : all(What.COMMITTED)) {
        must(
            committed.token() == receipt.token() && committed.detail().equals(receipt.claim()),
            "who was told of a commit has the receipt: " + committed);
      }
    }
    must(
        all(What.COMMITTED).isEmpty() || rows.receipts().size() == 1,
        "who was told of a commit has a receipt");
    Set<Long> committed = new HashSet<>();
    for (Happening one : happened) {
      if (one.what() == What.COMMITTED) {
        committed.add(one.token());
      }
      must(
          one.what() != What.RELEASED || committed.contains(one.token()),
          "released behind the receipt alone: " + one);
    }
  }

  private void effects() {
    must(upstream.effects().size() <= 1, "one effect");
    must(
        upstream.contract() != Contract.OPAQUE || upstream.requests() <= 1,
        "one request where nobody can be asked");
    String effect = upstream.effects().isEmpty() ? "none" : upstream.effects().getFirst().id();
    for (ReceiptRow receipt : rows.receipts()) {
      must(receipt.effect().equals(effect), "the receipt is that effect's");
    }
    for (Happening replayed : all(What.REPLAYED)) {
      must(replayed.detail().equals(effect), "the replay is that effect's: " + replayed);
    }
    boolean seen = !all(What.COMMITTED).isEmpty() || !all(What.STORED).isEmpty();
    must(!seen || rows.state().equals("completed"), "no success is lost");
    for (Happening stored : all(What.STORED)) {
      must(rows.stored().contains(stored.detail()), "evidence is stored as said: " + stored);
    }
  }

  private void gates() {
    for (Happening gate : happened) {
      boolean stood = Boolean.parseBoolean(gate.detail());
      must(gate.what() != What.GATE_OPEN || stood, "a gate opens on the receipt alone: " + gate);
      must(gate.what() != What.GATE_CLOSED || !stood, "a gate opens on the receipt: " + gate);
    }
  }

  private void counters() {
    long open = rows.claims().stream().filter(claim -> !claim.closed()).count();
    must(rows.openAttempts() == open, "open attempts are counted: " + rows);
    must(rows.pendingEvidence() == 0 || rows.state().equals("unknown"), "evidence is picked up");
    must(rows.parked() == null || rows.pendingEvidence() == 0, "nothing parks beside evidence");
  }

  /** Everybody has stopped, and one fresh attempt came. */
  private void end(String closer) {
    must(
        happened.stream().anyMatch(one -> one.worker().equals(closer) && isEnd(one)),
        "whoever comes last completes, replays, or hears that a person is awaited");
    must(!rows.state().equals("conflict"), "no conflict without two effects");
    must(!rows.state().equals("failed"), "nobody said that it failed");
    must(all(What.TURNED_AWAY).isEmpty(), "nobody is turned away: " + all(What.TURNED_AWAY));
    must(
        all(What.PARKED).isEmpty() || upstream.contract() == Contract.OPAQUE,
        "no person is asked where the upstream tells");
  }

  private static boolean isEnd(Happening one) {
    return IS_AN_END.contains(one.what());
  }

  private List<Happening> all(What what) {
    return happened.stream().filter(one -> one.what() == what).toList();
  }

  private void must(boolean holds, String sentence) {
    if (!holds) {
      violations.add(sentence);
    }
  }
}
