package dev.holdfast.ledger.jooq;

import dev.holdfast.ledger.Reservation;
import dev.holdfast.ledger.testbed.EmbeddedLedger;

/**
 * Observations that nobody made: of every kind, with every disposition, about every claim of an
 * operation and about one that there never was. Evidence that awaits its pick-up and definite
 * failures bear another tuple: of its own they are all that history is asked for.
 */
final class Lies {
  private static final String TOLD =
      """
      insert into observation (scope, operation_id, observer, claim_id, fencing_token, kind, reason,
          disposition, closes_attempt, fingerprint_scheme, fingerprint_sha256, generation, epoch,
          grade, upstream_status, response_sha256, effect_id, result_kind, observed_at)
      select o.scope, o.operation_id, 'preempted', c.claim_id, o.fencing_token + 1, k.kind, 'lie',
          d.disposition, false, o.fingerprint_scheme, o.fingerprint_sha256,
          o.generation + case when d.disposition = 'pending' or k.kind = 'failed' then 1 else 0 end, o.epoch,
          'witnessed', 200, sha256('lie'), 'effect-99', 'void', ledger_clock()
      from operation o
      cross join (values ('succeeded'), ('failed'), ('refused'), ('in_progress'), ('timed_out'),
          ('lease_expired'), ('not_dispatched'), ('not_happened')) as k (kind)
      cross join (values ('failure'), ('closed'), ('demoted'), ('quarantined'), ('conflicted'),
          ('recorded'), ('pending')) as d (disposition)
      cross join (select claim_id from attempt where operation_id = ?
          union all select claim_id from operation where operation_id = ?
          union all select gen_random_uuid()) as c
      where o.operation_id = ? and (d.disposition <> 'pending' or k.kind = 'succeeded')
      """;

  private Lies() {}

  /** Fills an operation's history; yields how many were told. */
  static int tell(EmbeddedLedger ledger, Reservation about) {
    String id = about.operation().text();
    return ledger.sql().execute(TOLD, id, id, id);
  }
}
