-- The marketplace's schedule, which the functions run. The auth service runs the backend's (backend/functions/schedule.sql).

-- The functions in schema `app` without parameters that are parts.
create or replace function app.tick_parts() returns text[] language sql immutable as $$
  select '{tick_notifications,tick_enquiries,tick_collaborations,remind_of_closing,tell_closed_gigs,digest_applications,
    tell_waiting_applicants,tick_erasure,tick_statistics}'::text[]
$$;

create or replace function app.run_tick_part(part text) returns boolean language sql security definer as $$
  select serasi.run_part('app', app.tick_parts(), part)
$$;

-- Runs all parts of both schedules in one transaction, for operators and tests. Returns their errors, or null if another session
-- does the same.
create or replace function app.tick() returns text[] language plpgsql security definer as $$
declare
  part text;
  failures text[] := '{}';
begin
  if not pg_try_advisory_xact_lock(hashtextextended('app.tick', 0)) then
    return null;
  end if;
  foreach part in array app.tick_parts() || serasi.tick_parts() loop
    begin
      perform serasi.run_part(case when part = any (serasi.tick_parts()) then 'serasi' else 'app' end, array[part], part);
    exception when others then
      failures := failures || (part || ': ' || sqlerrm);
    end;
  end loop;
  return failures;
end $$;

grant execute on function app.tick_parts(), app.run_tick_part(text), app.tick() to functions_admin;
