-- The ledger's guards: what the database itself refuses, whoever asks.
--
-- They keep a side channel (another program, a person's SQL, an older library) from bringing back
-- "last write wins". They repeat no rule of settlement: which change is right, the library decides;
-- which change can never be right, is refused here, with errcode HF001; HF002 is a claim id used twice.
--
-- [jooq ignore start]

create function ledger_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the ledger refuses % of %: %', lower(tg_op), tg_table_name, tg_argv[0]
    using errcode = 'HF001';
end $$;

-- Part 1: what a person may do, only with a record of it in the same transaction.

create function ledger_stamp_writer() returns trigger language plpgsql as $$
begin
  new.written_by := txid_current();
  return new;
end $$;
create trigger binding_change_writer before insert on binding_change
  for each row execute function ledger_stamp_writer();
create trigger reservation_history_writer before insert on reservation_history
  for each row execute function ledger_stamp_writer();
create trigger operator_act_writer before insert on operator_act
  for each row execute function ledger_stamp_writer();

-- Whether this very transaction has recorded one of these acts on the operation.
create function ledger_act_recorded(of_scope varchar, of_operation varchar, verbs varchar[])
  returns boolean language plpgsql volatile as $$
begin
  return exists (select from operator_act a where a.scope = of_scope
    and a.operation_id = of_operation and a.verb = any (verbs) and a.written_by = txid_current());
end $$;

-- Whether this very transaction has recorded the rebind or reopen that leads to this revision.
create function ledger_change_recorded(of_scope varchar, of_operation varchar, at_revision bigint)
  returns boolean language plpgsql volatile as $$
begin
  return exists (select from reservation_history h where h.scope = of_scope
    and h.operation_id = of_operation and h.revision = at_revision and h.written_by = txid_current());
end $$;

-- Part 2: the operation.

-- What each write of an operation keeps to. No trigger of this table bears a condition: PostgreSQL would
-- copy and parse it anew for each statement, claims and settlements among them.
create function ledger_guard_operation() returns trigger language plpgsql as $$
declare
  broken varchar;
  permitted boolean;
begin
  if tg_op = 'INSERT' then
    if new.state = 'in_progress' and new.epoch = 0 and new.open_attempts = 1 and new.pending_evidence = 0 then
      return new;
    end if;
    broken := 'an operation starts with its first claim';
  -- a settlement of the current claim breaks none of the rules below: its lease is not given up yet, and
  -- generation and epoch change under a new token alone
  elsif old.state = 'in_progress' and new.revision > old.revision and new.fencing_token = old.fencing_token
    and new.claim_id = old.claim_id then
    return new;
  else
    broken := case
      when new.fencing_token < old.fencing_token or new.revision < old.revision
        or new.generation < old.generation or new.epoch < old.epoch
        then 'token, revision, generation and epoch may not fall'
      when new.state <> old.state and new.revision <= old.revision
        then 'a change of state is a new revision'
      when new.revision = old.revision and (new.open_attempts <> old.open_attempts
          or new.pending_evidence <> old.pending_evidence or new.horizon_at <> old.horizon_at
          or new.first_claimed_at <> old.first_claimed_at)
        then 'what keeps an upstream from being asked twice changes by a new revision'
      when new.claim_id <> old.claim_id and new.fencing_token <= old.fencing_token
        then 'every claim takes a token of its own'
      when new.claim_id = old.claim_id and old.released and not new.released
        then 'a lease that was given up comes back by a new claim alone'
    end;
    if broken is null and old.state in ('completed', 'failed', 'conflict')
      and (old.state, old.receipt_number, old.receipt_timeline, old.result_kind, old.result,
          old.result_sha256, old.response_sha256, old.upstream_status, old.effect_id, old.failure_code,
          old.settled_at)
        is distinct from
        (new.state, new.receipt_number, new.receipt_timeline, new.result_kind, new.result,
          new.result_sha256, new.response_sha256, new.upstream_status, new.effect_id, new.failure_code,
          new.settled_at) then
      execute format('select %I.ledger_outcome_may_change($1, $2)', tg_table_schema)
        into permitted using old, new;
      if not permitted then
        broken := 'the outcome of a settled operation changes by a recorded act alone';
      end if;
    end if;
  end if;
  if broken is not null then
    raise exception 'the ledger refuses % of operation: %', lower(tg_op), broken using errcode = 'HF001';
  end if;
  return new;
end $$;
create trigger operation_moves_forward before insert or update on operation
  for each row execute function ledger_guard_operation();

-- An attempt's claim id is for ever its own: a claim that was sent twice and overtaken between must
-- not be granted again, for its attempt could never be kept a second time.
create function ledger_guard_claim_id() returns trigger language plpgsql as $$
begin
  if new.claim_id <> old.claim_id and exists (select from attempt a where a.scope = new.scope
      and a.operation_id = new.operation_id and a.claim_id = new.claim_id) then
    raise exception 'the ledger refuses a claim id that an earlier attempt bears'
      using errcode = 'HF002';
  end if;
  return new;
end $$;
create trigger operation_claim_id_is_fresh before update of claim_id on operation
  for each row execute function ledger_guard_claim_id();

-- The next claim takes the current attempt's place in the operation row; the old one is kept.
create function ledger_keep_attempt() returns trigger language plpgsql as $$
begin
  if new.claim_id <> old.claim_id then
    insert into attempt values (old.scope, old.operation_id, old.claim_id, old.fingerprint_scheme,
      old.fingerprint_sha256, old.generation, old.resource_id, old.epoch, old.fencing_token, old.worker,
      old.namespace, old.workflow_id, old.run_id, old.activity_id, old.attempt_number, old.claimed_at,
      old.dispatch_deadline_at, old.horizon_at);
  end if;
  return null;
end $$;
create trigger operation_keep_attempt after update of claim_id on operation
  for each row execute function ledger_keep_attempt();

create function ledger_guard_reservation() returns trigger language plpgsql as $$
begin
  if (old.scope, old.operation_id, old.fingerprint_scheme, old.fingerprint_sha256, old.generation,
      old.resource_id, old.epoch)
    is not distinct from
    (new.scope, new.operation_id, new.fingerprint_scheme, new.fingerprint_sha256, new.generation,
      new.resource_id, new.epoch) then
    return new;
  end if;
  if (new.scope, new.operation_id) is distinct from (old.scope, old.operation_id)
    or not ledger_change_recorded(old.scope, old.operation_id, new.revision) then
    raise exception 'the ledger refuses to change a reservation without a recorded rebind or reopen'
      using errcode = 'HF001';
  end if;
  if new.fencing_token <= old.fencing_token then
    raise exception 'the ledger refuses to change a reservation under the old fencing token'
      using errcode = 'HF001';
  end if;
  return new;
end $$;
create trigger operation_reservation_stays
  before update of scope, operation_id, fingerprint_scheme, fingerprint_sha256, generation, resource_id, epoch
  on operation for each row execute function ledger_guard_reservation();

-- A terminal state is left for conflict, its outcome untouched, or by a recorded act.
create function ledger_outcome_may_change(old operation, new operation)
  returns boolean language plpgsql volatile as $$
begin
  return (new.state = 'conflict' and old.state <> 'conflict'
      and (new.receipt_number, new.receipt_timeline, new.result_kind, new.result, new.result_sha256,
          new.response_sha256, new.upstream_status, new.effect_id, new.failure_code)
        is not distinct from
        (old.receipt_number, old.receipt_timeline, old.result_kind, old.result, old.result_sha256,
          old.response_sha256, old.upstream_status, old.effect_id, old.failure_code))
    or ledger_change_recorded(old.scope, old.operation_id, new.revision)
    or ledger_act_recorded(old.scope, old.operation_id, array['resolve', 'erase']);
end $$;

-- Whether this very transaction has written that an attempt is closed.
create function ledger_closing_recorded(of_scope varchar, of_operation varchar)
  returns boolean language plpgsql volatile as $$
begin
  return exists (select from observation o where o.scope = of_scope and o.operation_id = of_operation
    and o.closes_attempt and o.xmin = pg_current_xact_id()::xid);
end $$;

-- Parked is for a person to end, but for what ends it by itself: a settlement, or the last open attempt
-- closed, on the record. What was superseded, a rebind ends as well. Otherwise a side channel could let an upstream be asked twice that keeps no promise.
create function ledger_guard_parking() returns trigger language plpgsql as $$
begin
  if old.parked_reason is not null and new.parked_reason is null
    and new.state in ('unknown', 'in_progress')
    and not ledger_act_recorded(old.scope, old.operation_id, array['resolve'])
    and not (old.parked_reason = 'superseded'
      and ledger_act_recorded(old.scope, old.operation_id, array['rebind']))
    and (new.open_attempts > 0 or not ledger_closing_recorded(old.scope, old.operation_id)) then
    raise exception 'the ledger refuses to end the wait for a person without a recorded resolve'
      using errcode = 'HF001';
  end if;
  return new;
end $$;
create trigger operation_unparked_by_rule before update of parked_reason on operation
  for each row execute function ledger_guard_parking();

-- Completed is the receipt's word: at the commit it stands there, for this very tuple and response.
-- Bound to its table by name, not by a search path, which would cost as much again on each settlement.
do $bound$
begin
  execute format($function$
    create function ledger_guard_completion() returns trigger language plpgsql as $$
    begin
      if new.state = 'completed'
        and (old.state <> 'completed' or new.receipt_number is distinct from old.receipt_number)
        and not exists (select from %I.receipt r
          where r.scope = new.scope and r.operation_id = new.operation_id
            and r.receipt_number = new.receipt_number
            and r.fingerprint_scheme = new.fingerprint_scheme
            and r.fingerprint_sha256 = new.fingerprint_sha256
            and r.generation = new.generation and r.epoch = new.epoch
            and r.response_sha256 = new.response_sha256 and r.effect_id = new.effect_id) then
        raise exception 'the ledger refuses a completed operation without its receipt'
          using errcode = 'HF001';
      end if;
      return null;
    end $$ $function$, current_schema());
end $bound$;
create constraint trigger operation_completed_by_receipt after update of state, receipt_number on operation
  deferrable initially deferred for each row execute function ledger_guard_completion();

-- Part 3: the shared resource.

create trigger resource_never_falls before update of fencing_token on resource
  for each row when (new.fencing_token < old.fencing_token)
  execute function ledger_refuse('the fencing token may not fall');
create trigger resource_claim_has_new_token before update of claim_id on resource
  for each row when (new.claim_id <> old.claim_id and new.fencing_token <= old.fencing_token)
  execute function ledger_refuse('every claim takes a token of its own');
create trigger resource_stays_released before update of released on resource
  for each row when (old.released and not new.released and new.claim_id = old.claim_id)
  execute function ledger_refuse('a lease that was given up comes back by a new claim alone');

-- Part 4: bindings. What claims are refused by rises alone, each time with the record of who raised it.

create function ledger_guard_binding() returns trigger language plpgsql as $$
declare
  broken varchar;
begin
  if tg_op = 'UPDATE' and (new.scope, new.name) is distinct from (old.scope, old.name) then
    broken := 'its name may not change';
  elsif tg_op = 'UPDATE' and new.generation <= old.generation then
    broken := 'its generation rises with every change';
  elsif not exists (select from binding_change c where c.scope = new.scope and c.name = new.name
      and c.generation = new.generation and c.written_by = txid_current()) then
    broken := 'it is rotated by a recorded act alone';
  end if;
  if broken is not null then
    raise exception 'the ledger refuses % of binding: %', lower(tg_op), broken using errcode = 'HF001';
  end if;
  return new;
end $$;
create trigger binding_rises_by_record before insert or update on binding
  for each row execute function ledger_guard_binding();

-- Part 5: rows stay. Histories are never changed; what vanishes, vanishes by a recorded purge.

create function ledger_guard_purge() returns trigger language plpgsql as $$
begin
  if not ledger_act_recorded(old.scope, old.operation_id, array['purge']) then
    raise exception 'the ledger refuses to delete from % without a recorded purge', tg_table_name
      using errcode = 'HF001';
  end if;
  return old;
end $$;

do $$
declare
  kept text;
  guard regprocedure;
begin
  foreach kept in array array['operation', 'attempt', 'observation', 'receipt', 'reservation_history',
      'quarantine_warning'] loop
    execute format('create trigger %I before delete on %I for each row'
      ' execute function ledger_guard_purge()', kept || '_purged_only', kept);
  end loop;
  foreach kept in array array['attempt', 'observation', 'receipt', 'binding_change',
      'reservation_history', 'quarantine_warning', 'operator_act'] loop
    execute format('create trigger %I before update on %I for each row'
      ' execute function ledger_refuse(%L)', kept || '_insert_only', kept, 'its rows are never changed');
  end loop;
  foreach kept in array array['resource', 'binding', 'binding_change', 'operator_act'] loop
    execute format('create trigger %I before delete on %I for each row'
      ' execute function ledger_refuse(%L)', kept || '_stays', kept, 'its rows are never deleted');
  end loop;
  foreach kept in array array['operation', 'resource', 'attempt', 'observation', 'receipt', 'binding',
      'binding_change', 'reservation_history', 'quarantine_warning', 'operator_act'] loop
    execute format('create trigger %I before truncate on %I for each statement'
      ' execute function ledger_refuse(%L)', kept || '_not_truncated', kept,
      'its rows vanish only by purge');
  end loop;

  -- These find their tables wherever the caller's search path leads, temporary ones of the same name
  -- included; and all look up by key, however small a table was when their plans were made.
  foreach guard in array array['ledger_act_recorded(varchar, varchar, varchar[])',
      'ledger_change_recorded(varchar, varchar, bigint)', 'ledger_closing_recorded(varchar, varchar)',
      'ledger_keep_attempt()',
      'ledger_guard_claim_id()', 'ledger_guard_reservation()', 'ledger_guard_parking()',
      'ledger_outcome_may_change(operation, operation)', 'ledger_guard_purge()',
      'ledger_guard_binding()']::regprocedure[] loop
    execute format('alter function %s set search_path to %I, pg_temp', guard, current_schema());
    execute format('alter function %s set enable_seqscan to off', guard);
  end loop;
end $$;
-- [jooq ignore stop]
