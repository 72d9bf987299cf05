-- The ledger of shared durable effects.
--
-- Reading order: operation (the authoritative row, which is its own lease), resource (a lease that
-- several operations take in turn), then the histories, which nothing reads in order to decide except
-- pending evidence. All instants are read through ledger_clock(). A guard that may wait for a lock
-- reads the operation row alone: state, tuple, epoch, revision, token, claim id, counters.
--
-- What one row can show is a check here. What only a change can show (a token that falls, an outcome
-- that is overwritten, a row that vanishes) is refused by the triggers of V2__guards.sql. The checks of
-- operation and receipt stand in operation_is_sound() and receipt_is_sound() below, by name as all others:
-- PostgreSQL parses a table's checks anew for each statement, which took longer than writing the rows.

-- [jooq ignore start]
-- The one clock. Not now(): that stands still from the start of a transaction on, and a margin judged
-- with it passes after the lease is gone.
create function ledger_clock() returns timestamptz
  language sql volatile parallel safe as 'select clock_timestamp()';

-- Raised by every promotion. From the position now written to: the control file lags behind a promotion.
create function ledger_timeline() returns bigint
  language sql volatile as
  $$select ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint$$;

-- Which server this is; a standby that is promoted keeps it.
create function ledger_system_id() returns varchar
  language sql stable as 'select system_identifier::varchar from pg_control_system()';
-- [jooq ignore stop]

-- Numbers the receipts. Drawn before the receipt is written, because operation and receipt, written by
-- one statement, both bear the number.
create sequence receipt_numbers as bigint;

-- operation: one row for each shared durable effect, named by scope and operation id.
-- Invariants: the tuple changes only by rebind or reopen; the token and the revision never fall; only a
-- committed receipt makes it completed; a terminal state is left only by a person, or for conflict.
create table operation (
  scope                varchar(100) not null,
  operation_id         varchar(356) not null,            -- type, colon, key
  -- the reservation, with the epoch: the tuple that every compare-and-set covers
  fingerprint_scheme   varchar(16)  not null,
  fingerprint_sha256   bytea        not null,
  generation           bigint       not null,
  resource_id          varchar(356) not null,            -- its own operation id, or a colon and a name
  epoch                integer      not null,
  -- the authoritative state
  state                varchar(11)  not null,
  parked_reason        varchar(100),
  revision             bigint       not null,
  open_attempts        integer      not null,            -- attempts that may have had an effect, the current one included
  pending_evidence     integer      not null,            -- successes stored, not yet picked up
  -- the lease; the holder is the token and the claim id
  fencing_token        bigint       not null,
  claim_id             uuid         not null,
  worker               varchar(255) not null,            -- who renews
  expires_at           timestamptz  not null,
  released             boolean      not null,
  release_sha256       bytea,
  durable_confirmed_at timestamptz,
  -- the current attempt; it moves to attempt when the next claim takes its place
  namespace            varchar(255) not null,
  workflow_id          varchar(1000),
  run_id               varchar(100),
  activity_id          varchar(1000),
  attempt_number       integer      not null,
  claimed_at           timestamptz  not null,
  first_claimed_at     timestamptz  not null,            -- of the oldest attempt still open: the upstream key's life starts here at the earliest
  dispatch_deadline_at timestamptz  not null,            -- no dispatch of this attempt starts later
  horizon_at           timestamptz  not null,            -- its request can no longer land, and all it did is visible
  -- the gate that was open when the operation was claimed
  gate_receipts        bigint[],
  -- the outcome
  result_kind          varchar(10),
  result               bytea,                            -- the payload as the worker's converter and codec made it
  result_sha256        bytea,
  response_sha256      bytea,
  upstream_status      integer,
  effect_id            varchar(255),
  failure_code         varchar(100),                     -- of a definite failure; a word, never a message
  receipt_number       bigint,
  receipt_timeline     bigint,
  settled_at           timestamptz,
  attention_at         timestamptz,                      -- since when a person or a pick-up is awaited

  constraint operation_pk primary key (scope, operation_id)
);

-- resource: the lease of a resource that several operations name. Its row is locked before theirs, and
-- the operation that holds it bears its token.
create table resource (
  scope         varchar(100) not null,
  resource_id   varchar(356) not null,
  operation_id  varchar(356) not null,                   -- who took it last
  fencing_token bigint       not null,
  claim_id      uuid         not null,
  worker        varchar(255) not null,
  expires_at    timestamptz  not null,
  released      boolean      not null,

  constraint resource_pk primary key (scope, resource_id),
  constraint resource_is_shared check (resource_id like ':%'),
  constraint resource_token_positive check (fencing_token > 0)
);

-- attempt: claims that were followed by another one, for ever. The last claim of an operation stands in
-- its row. An attempt is open until an observation or a receipt with its claim id closes it.
create table attempt (
  scope                varchar(100) not null,
  operation_id         varchar(356) not null,
  claim_id             uuid         not null,
  fingerprint_scheme   varchar(16)  not null,
  fingerprint_sha256   bytea        not null,
  generation           bigint       not null,
  resource_id          varchar(356) not null,
  epoch                integer      not null,
  fencing_token        bigint       not null,
  worker               varchar(255) not null,
  namespace            varchar(255) not null,
  workflow_id          varchar(1000),
  run_id               varchar(100),
  activity_id          varchar(1000),
  attempt_number       integer      not null,
  claimed_at           timestamptz  not null,
  dispatch_deadline_at timestamptz  not null,
  horizon_at           timestamptz  not null,

  constraint attempt_pk primary key (scope, operation_id, claim_id)
);

-- observation: what somebody saw of an attempt. The receipt is the observation of a plain success;
-- everything else writes a row here.
create table observation (
  scope              varchar(100) not null,
  operation_id       varchar(356) not null,
  observation_number bigint       not null generated always as identity,
  observer           varchar(10)  not null,
  claim_id           uuid,                               -- whose attempt it is about; absent where the observer names none
  fencing_token      bigint,
  kind               varchar(14)  not null,
  reason             varchar(100),
  disposition        varchar(11)  not null,
  closes_attempt     boolean      not null,
  -- the tuple as observed
  fingerprint_scheme varchar(16)  not null,
  fingerprint_sha256 bytea        not null,
  generation         bigint       not null,
  epoch              integer      not null,
  -- the evidence
  grade              varchar(10),
  upstream_status    integer,
  response_sha256    bytea,
  effect_id          varchar(255),
  result_kind        varchar(10),
  result             bytea,
  result_sha256      bytea,
  observed_at        timestamptz  not null,

  constraint observation_pk primary key (scope, operation_id, observation_number),
  constraint observation_digests_are_sha256
    check (octet_length(fingerprint_sha256) = 32
      and (result_sha256 is null or octet_length(result_sha256) = 32)
      and (response_sha256 is null or octet_length(response_sha256) = 32)),
  constraint observation_observer_known
    check (observer in ('holder', 'preempted', 'reconciler', 'operator', 'none')),
  constraint observation_observer_has_claim check ((observer = 'none') = (claim_id is null)),
  constraint observation_kind_known
    check (kind in ('succeeded', 'failed', 'refused', 'in_progress', 'timed_out', 'lease_expired', 'not_dispatched',
      'not_happened')),
  constraint observation_disposition_known
    check (disposition in ('failure', 'pending', 'closed', 'demoted', 'quarantined', 'conflicted', 'recorded')),
  constraint observation_grade_known
    check (grade in ('witnessed', 'attested', 'reconciled', 'operator')),
  constraint observation_result_kind_known
    check (result_kind in ('value', 'null', 'void', 'not_stored')),
  constraint observation_mismatch_closes_nothing
    check (disposition <> 'quarantined' or not closes_attempt),
  constraint observation_pending_has_evidence
    check (disposition <> 'pending'
      or (kind = 'succeeded' and grade is not null and response_sha256 is not null
        and effect_id is not null and result_kind is not null))
);

-- By what was reported, so that a flood of stale reports of one operation costs each next one no more.
create index observation_of_evidence on observation (scope, operation_id, claim_id, generation);
-- What was set aside may be an effect that counts for nothing: few are, and a person is told of them.
create index observation_set_aside on observation (scope, operation_id)
  where disposition = 'quarantined' and kind = 'succeeded';
create index observation_that_closes on observation (scope, operation_id, claim_id) where closes_attempt;
-- What proves nothing is kept once for each reason: whoever can reach an endpoint could else fill the ledger.
create unique index observation_of_unverified on observation (scope, operation_id, reason)
  where observer = 'none' and kind = 'timed_out';

-- receipt: the proof that an effect was verified and recorded under a valid fencing token (seed: the
-- fenced idempotency receipt). Never changed.
create table receipt (
  scope              varchar(100) not null,
  operation_id       varchar(356) not null,              -- seed: idempotency_key
  fencing_token      bigint       not null,              -- seed: monotonic_fencing_token
  receipt_number     bigint       not null,              -- of receipt_numbers
  claim_id           uuid         not null,
  evidence_claim_id  uuid,                               -- whose stored evidence was picked up; absent: the claim's own, or nobody's
  resource_id        varchar(356) not null,              -- seed: resource_lock_id
  fingerprint_scheme varchar(16)  not null,
  fingerprint_sha256 bytea        not null,              -- seed: request_payload_sha256
  generation         bigint       not null,
  epoch              integer      not null,
  response_sha256    bytea        not null,              -- seed: upstream_response_sha256
  upstream_status    integer      not null,
  effect_id          varchar(255) not null,
  source             varchar(10)  not null,
  adopted_receipt    bigint,
  committed_at       timestamptz  not null,              -- seed: committed_at_monotonic_ms
  margin_left_ms     bigint       not null,
  fsync              varchar(10)  not null,              -- these three: seed: durable_fsync_confirmed, with
  full_page_writes   varchar(10)  not null,              -- operation.durable_confirmed_at, which the release sets
  synchronous_commit varchar(15)  not null,
  timeline           bigint       not null,              -- with the number: tells a ledger that went back

  constraint receipt_pk primary key (scope, operation_id, fencing_token)
);

-- binding: the current generation of each authorization; binding_change keeps how it came to be.
create table binding (
  scope      varchar(100) not null,
  name       varchar(255) not null,
  generation bigint       not null,
  rotated_at timestamptz  not null,

  constraint binding_pk primary key (scope, name),
  constraint binding_generation_not_negative check (generation >= 0)
);

create table binding_change (
  scope      varchar(100) not null,
  name       varchar(255) not null,
  generation bigint       not null,
  act_id     uuid         not null,                      -- made by who ordered it: sent again, it is done once
  actor      varchar(255) not null,
  reason     varchar(1000) not null,
  changed_at timestamptz  not null,
  written_by bigint       not null,                      -- the writing transaction, set by the database

  constraint binding_change_pk primary key (scope, name, generation),
  constraint binding_change_done_once unique (act_id)
);

-- reservation_history: one row for each rebind or reopen, written in the transaction that does it.
create table reservation_history (
  scope              varchar(100) not null,
  operation_id       varchar(356) not null,
  revision           bigint       not null,              -- the operation's, after the act
  act                varchar(10)  not null,
  fingerprint_scheme varchar(16)  not null,              -- the tuple before the act
  fingerprint_sha256 bytea        not null,
  generation         bigint       not null,
  resource_id        varchar(356) not null,
  epoch              integer      not null,
  receipt_number     bigint,
  actor              varchar(255) not null,
  reason             varchar(1000) not null,
  changed_at         timestamptz  not null,
  written_by         bigint       not null,

  constraint reservation_history_pk primary key (scope, operation_id, revision),
  constraint reservation_history_act_known check (act in ('adopt', 're_execute', 'carry', 'reopen'))
);

-- quarantine_warning: at most one for each tuple on a record, eight in any rolling 24 hours.
create table quarantine_warning (
  scope              varchar(100) not null,
  operation_id       varchar(356) not null,
  fingerprint_scheme varchar(16)  not null,
  fingerprint_sha256 bytea        not null,
  generation         bigint       not null,
  warned_at          timestamptz  not null
);

-- operator_act: what a person ordered, and why; and, for its answer, how it found the operation.
create table operator_act (
  act_number       bigint       not null generated always as identity,
  act_id           uuid         not null,                -- made by who ordered it: ordered again it is found, not done
  scope            varchar(100) not null,
  operation_id     varchar(356) not null,
  verb             varchar(10)  not null,
  decision         varchar(14),                          -- what a resolve says
  generation       bigint,                               -- what a rebind leads to
  forced           boolean      not null,                -- before the horizon, which would else have refused it
  actor            varchar(255) not null,
  reason           varchar(1000) not null,
  revision         bigint       not null,                -- the operation's, after the act
  fencing_token    bigint,                               -- of the act's own claim, which fences off who held it before
  receipt_number   bigint,                               -- that the operation bore before the act
  evidence_sha256  bytea,                                -- of what the person was shown by the upstream
  order_sha256     bytea        not null,                -- of all that was ordered: the id bears no other order
  state_before     varchar(11),
  state_after      varchar(11),
  parked_reason    varchar(100),
  open_attempts    integer,
  pending_evidence integer,
  failure_code     varchar(100),
  upstream_status  integer,                              -- of that failure
  acted_at         timestamptz  not null,
  written_by       bigint       not null,

  constraint operator_act_pk primary key (act_number),
  constraint operator_act_id_unique unique (act_id),
  constraint operator_act_verb_known check (verb in ('resolve', 'reopen', 'rebind', 'purge', 'erase')),
  constraint operator_act_decision_known
    check (decision in ('happened', 'did_not_happen', 'receipt_stands', 'failed')),
  constraint operator_act_resolve_decides check ((verb = 'resolve') = (decision is not null)),
  constraint operator_act_rebind_leads_on check ((verb = 'rebind') = (generation is not null)),
  constraint operator_act_evidence_is_sha256 check (octet_length(evidence_sha256) = 32),
  constraint operator_act_order_is_sha256 check (octet_length(order_sha256) = 32)
);
create index operator_act_of_operation on operator_act (scope, operation_id);

-- ledger_schema: one row; a library older than minimum_library must not touch this schema. And where it
-- was migrated last: found elsewhere, the ledger may have gone back.
create table ledger_schema (
  only_row        boolean     not null,
  minimum_library integer     not null,
  system_id       varchar(20) not null,
  timeline        bigint      not null,

  constraint ledger_schema_pk primary key (only_row),
  constraint ledger_schema_one_row check (only_row)
);
-- [jooq ignore start]
insert into ledger_schema (only_row, minimum_library, system_id, timeline)
  values (true, 1, ledger_system_id(), ledger_timeline());
-- [jooq ignore stop]

-- Few rows await a person: the index holds those alone, and claim, settle and release never touch its
-- column, so that their updates stay heap-only. For the same reason nothing indexes state, token or expiry.
create index operation_awaits_attention on operation (attention_at) where attention_at is not null;
create index operation_by_gate_receipt on operation using gin (gate_receipts) where gate_receipts is not null;

-- [jooq ignore start]
-- Here because the generator cannot index a bytea.
alter table quarantine_warning add constraint quarantine_warning_pk
  primary key (scope, operation_id, fingerprint_scheme, fingerprint_sha256, generation);

-- Room on each page for the next versions of its rows: claim, settle and release write three. And no
-- statistics before there are rows enough for the key to be the cheaper way: a plan made for a page or
-- two scans the table, and sessions keep it while the table grows.
alter table operation set (fillfactor = 65, autovacuum_analyze_threshold = 500, autovacuum_vacuum_threshold = 500);
alter table resource set (fillfactor = 50, autovacuum_analyze_threshold = 500, autovacuum_vacuum_threshold = 500);
alter table receipt set (autovacuum_analyze_threshold = 500);
alter table binding set (autovacuum_analyze_threshold = 500);

-- A missing deadline would mean "held by nobody", an infinite one "held for ever".
alter table resource add constraint resource_expiry_finite check (isfinite(expires_at));

-- Stale claims are found by their instant; block ranges suffice, as rows lie in the order of first
-- claims, and from PostgreSQL 16 on they leave a renewed claim's update heap-only.
create index operation_claimed on operation using brin (claimed_at);

-- The checks of operation. A fresh claim and a plain success are told sound by one condition each, which
-- says nothing new: it spares them the naming, since each condition costs as it is long, in every
-- transaction anew. Below, each check with the condition that breaks it; nothing is broken by a null.
create function operation_is_sound() returns trigger language plpgsql as $$
declare
  broken varchar;
begin
  if octet_length(new.fingerprint_sha256) = 32 and new.release_sha256 is null and isfinite(new.expires_at)
    and least(new.fencing_token, new.revision) > 0 and least(new.generation, new.epoch, new.open_attempts) >= 0
    and new.pending_evidence = 0 and new.parked_reason is null and not new.released then
    if new.state = 'in_progress' then
      if num_nonnulls(new.receipt_number, new.receipt_timeline, new.response_sha256, new.effect_id,
        new.result_kind, new.result, new.result_sha256, new.failure_code, new.settled_at) = 0 then
        return new;
      end if;
    elsif new.state = 'completed' and octet_length(new.response_sha256) = 32
      and octet_length(new.result_sha256) = 32 and new.result_kind = 'value'
      and num_nulls(new.receipt_number, new.receipt_timeline, new.effect_id, new.settled_at) = 0 then
      return new;
    end if;
  end if;
  broken := case
    when octet_length(new.fingerprint_sha256) <> 32 or octet_length(new.result_sha256) <> 32
      or octet_length(new.response_sha256) <> 32 then 'operation_digests_are_sha256'
    when least(new.generation, new.epoch, new.open_attempts, new.pending_evidence) < 0
      then 'operation_counters_not_negative'
    when least(new.fencing_token, new.revision) < 1 then 'operation_token_and_revision_positive'
    when not isfinite(new.expires_at) then 'operation_expiry_finite'
    when new.release_sha256 is not null and not (new.released and octet_length(new.release_sha256) = 32)
      then 'operation_release_digest_is_sha256'
    when new.parked_reason is not null and new.state <> 'unknown' then 'operation_parked_is_unknown'
    when new.attention_at is null
      and (new.parked_reason is not null or new.pending_evidence > 0 or new.state = 'conflict')
      then 'operation_awaiting_is_listed'
    when new.parked_reason is not null and new.open_attempts = 0 then 'operation_parked_has_open_attempt'
    when new.result is not null and new.result_kind is distinct from 'value'
      then 'operation_result_has_kind'
    when new.result_kind = 'not_stored' and new.result_sha256 is null
      then 'operation_result_not_stored_has_digest'
    when new.result_kind not in ('value', 'null', 'void', 'not_stored')
      then 'operation_result_kind_known'
    when new.state = 'in_progress' and new.released then 'operation_in_progress_is_not_released'
    when new.state in ('in_progress', 'unknown') then case
      when num_nonnulls(new.receipt_number, new.receipt_timeline, new.response_sha256, new.effect_id,
        new.result_kind, new.result, new.result_sha256, new.failure_code, new.settled_at) > 0
      then 'operation_open_has_no_outcome' end
    when new.state = 'completed' then case
      when num_nulls(new.receipt_number, new.receipt_timeline, new.response_sha256, new.effect_id,
        new.result_kind, new.settled_at) > 0
      then 'operation_completed_has_receipt' end
    when new.state = 'failed' then case
      when new.settled_at is null or new.failure_code is null or new.receipt_number is not null
      then 'operation_failed_has_instant' end
    when new.state <> 'conflict' then 'operation_state_known'
  end;
  if broken is not null then
    raise exception 'a row of operation breaks %', broken
      using errcode = 'check_violation', constraint = broken, table = 'operation';
  end if;
  return new;
end $$;
create trigger operation_sound before insert or update on operation
  for each row execute function operation_is_sound();

create function receipt_is_sound() returns trigger language plpgsql as $$
declare
  broken varchar := case
    when octet_length(new.fingerprint_sha256) <> 32 or octet_length(new.response_sha256) <> 32
      then 'receipt_digests_are_sha256'
    when new.source not in ('witnessed', 'attested', 'reconciled', 'operator', 'adopted')
      then 'receipt_source_known'
    when new.margin_left_ms < 0 then 'receipt_margin_not_negative'
    when (new.source = 'adopted') <> (new.adopted_receipt is not null) then 'receipt_adopted_refers'
    when new.fsync <> 'on' or new.full_page_writes <> 'on'
      or new.synchronous_commit in ('off', 'local') then 'receipt_is_durable'
  end;
begin
  if broken is not null then
    raise exception 'a row of receipt breaks %', broken
      using errcode = 'check_violation', constraint = broken, table = 'receipt';
  end if;
  return new;
end $$;
create trigger receipt_sound before insert or update on receipt
  for each row execute function receipt_is_sound();

-- As a check does: whatever the session's replication role.
alter table operation enable always trigger operation_sound;
alter table receipt enable always trigger receipt_sound;
-- [jooq ignore stop]
