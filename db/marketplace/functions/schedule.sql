-- Scheduled work. Every minute, the functions run each part in a transaction of its own, so that a part that fails or takes
-- too long doesn't stop the others. Each part does a bounded amount of work, and skips rows that are locked.

-- The functions in schema `app` without parameters that are parts, one per line.
create or replace function app.tick_parts() returns text[]
language sql immutable set search_path = pg_catalog, pg_temp as $$
  select array[
    'tick_notifications',
    'tick_enquiries',
    'tick_collaborations',
    'remind_of_closing',
    'tell_closed_gigs',
    'digest_applications',
    'tell_waiting_applicants',
    'tick_sessions',
    'tick_erasure',
    'tick_retention',
    'tick_unconfirmed_accounts',
    'tick_statistics'
  ]
$$;

-- Returns false if another replica is running this part.
create or replace function app.run_tick_part(part text) returns boolean
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  if not part = any (app.tick_parts()) then
    raise invalid_parameter_value using message = format('"%s" is not a part of the schedule', part);
  elsif not pg_try_advisory_xact_lock(hashtextextended('app.tick ' || part, 0)) then
    return false;
  end if;
  execute format('select app.%I()', part);
  return true;
end $$;

-- Runs all parts in one transaction, for operators and tests. Returns their errors, or null if another session does the same.
create or replace function app.tick() returns text[]
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
declare
  part text;
  failures text[] := '{}';
begin
  if not pg_try_advisory_xact_lock(hashtextextended('app.tick', 0)) then
    return null;
  end if;
  foreach part in array app.tick_parts() loop
    begin
      perform app.run_tick_part(part);
    exception when others then
      failures := failures || (part || ': ' || sqlerrm);
    end;
  end loop;
  return failures;
end $$;

grant execute on function app.tick_parts(), app.run_tick_part(text), app.tick() to functions_admin;
