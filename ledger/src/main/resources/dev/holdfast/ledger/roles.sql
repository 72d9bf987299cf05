-- Optional: roles for a ledger in schema holdfast, with no right more than each one needs.
--
-- Run it as a superuser after each migration; it may be run again. Roles here cannot log in: grant
-- them to the users that do, and let the migrating user create in the owner's name:
--
--   create user billing_worker in role holdfast_runtime password '...';
--   create user deployer in role holdfast_migrator password '...';
--   alter user deployer set role holdfast_owner;
--
--   owner     owns schema and tables; nobody logs in as it
--   migrator  may become the owner: migrates
--   runtime   claims, settles, releases; may do none of a person's acts
--   operator  a person's acts as well, each of which the guards want recorded
--   reader    reads

do $$
declare
  wanted text;
  kept record;
begin
  foreach wanted in array array['holdfast_owner', 'holdfast_migrator', 'holdfast_runtime',
      'holdfast_operator', 'holdfast_reader'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      execute format('create role %I nologin', wanted);
    end if;
  end loop;

  execute 'alter schema holdfast owner to holdfast_owner';
  for kept in select oid::regclass as name from pg_class
      where relnamespace = 'holdfast'::regnamespace and relkind = 'r' loop
    execute format('alter table %s owner to holdfast_owner', kept.name);
  end loop;
  for kept in select oid::regprocedure as name from pg_proc
      where pronamespace = 'holdfast'::regnamespace loop
    execute format('alter function %s owner to holdfast_owner', kept.name);
  end loop;
end $$;
alter sequence holdfast.receipt_numbers owner to holdfast_owner;
grant holdfast_owner to holdfast_migrator;

revoke all on schema holdfast from public;
revoke all on all tables in schema holdfast
  from public, holdfast_runtime, holdfast_operator, holdfast_reader;
revoke all on all sequences in schema holdfast
  from public, holdfast_runtime, holdfast_operator, holdfast_reader;

grant usage on schema holdfast to holdfast_runtime, holdfast_operator, holdfast_reader;
grant select on all tables in schema holdfast
  to holdfast_runtime, holdfast_operator, holdfast_reader;

-- Runtime: new rows, and every column of an operation but its reservation and epoch.
grant usage on sequence holdfast.receipt_numbers to holdfast_runtime, holdfast_operator;
grant insert on holdfast.operation, holdfast.resource, holdfast.attempt, holdfast.observation,
  holdfast.receipt, holdfast.quarantine_warning to holdfast_runtime, holdfast_operator;
grant update (state, parked_reason, revision, open_attempts, pending_evidence, fencing_token, claim_id,
  worker, expires_at, released, release_sha256, durable_confirmed_at, namespace, workflow_id, run_id,
  activity_id, attempt_number, claimed_at, first_claimed_at, dispatch_deadline_at, horizon_at,
  gate_receipts, result_kind, result, result_sha256, response_sha256, upstream_status, effect_id,
  failure_code, receipt_number, receipt_timeline, settled_at, attention_at)
  on holdfast.operation to holdfast_runtime;
grant update (operation_id, fencing_token, claim_id, worker, expires_at, released)
  on holdfast.resource to holdfast_runtime, holdfast_operator;

-- Operator: what the guards permit with a record of it.
grant insert on holdfast.operator_act, holdfast.reservation_history, holdfast.binding,
  holdfast.binding_change to holdfast_operator;
grant update on holdfast.operation, holdfast.binding to holdfast_operator;
grant delete on holdfast.operation, holdfast.attempt, holdfast.observation, holdfast.receipt,
  holdfast.reservation_history, holdfast.quarantine_warning to holdfast_operator;
