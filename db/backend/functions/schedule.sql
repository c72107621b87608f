-- Scheduled work. Every minute, a service runs each part in a transaction of its own, so that a part that fails or takes too long
-- doesn't stop the others. Each part does a bounded amount of work, and skips rows that are locked.

create or replace function serasi.tick_parts() returns text[] language sql immutable as $$
  select '{tick_sessions,tick_retention,tick_unconfirmed_accounts}'::text[]
$$;

-- Calls a function of that schema without parameters. Returns false if another replica is running this part.
create or replace function serasi.run_part(place name, parts text[], part text) returns boolean language plpgsql as $$
begin
  if not part = any (parts) then
    raise invalid_parameter_value using message = format('"%s" is not a part of the schedule', part);
  elsif not pg_try_advisory_xact_lock(hashtextextended('tick ' || part, 0)) then
    return false;
  end if;
  execute format('select %I.%I()', place, part);
  return true;
end $$;

create or replace function serasi.run_tick_part(part text) returns boolean language sql security definer as $$
  select serasi.run_part('serasi', serasi.tick_parts(), part)
$$;

grant execute on function serasi.tick_parts(), serasi.run_tick_part(text) to auth_admin;
