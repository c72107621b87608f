-- Scheduled work. The auth service calls app.tick() every minute. Each part does a bounded amount of work, so that the
-- transaction stays short.

-- Calls app.<part>() and returns its error, if any. A part that fails rolls back only its own work.
create or replace function app.run_part(part text) returns text[]
language plpgsql security definer set search_path = '' as $$
begin
  execute format('select app.%I()', part);
  return '{}';
exception when others then
  return array[part || ': ' || sqlerrm];
end $$;

-- Returns the errors of the parts, or null if another replica is already running them.
create or replace function app.tick() returns text[]
language plpgsql security definer set search_path = '' as $$
declare
  failures text[] := '{}';
begin
  if not pg_try_advisory_xact_lock(hashtextextended('app.tick', 0)) then
    return null;
  end if;
  -- One line per part.
  failures := failures || app.run_part('tick_notifications');
  failures := failures || app.run_part('tick_enquiries');
  failures := failures || app.run_part('tick_collaborations');
  failures := failures || app.run_part('tick_applications');
  failures := failures || app.run_part('tick_sessions');
  failures := failures || app.run_part('tick_erasure');
  failures := failures || app.run_part('tick_retention');
  failures := failures || app.run_part('tick_statistics');
  return failures;
end $$;

grant execute on function app.tick() to auth_admin;
