-- Deletes sessions and refresh tokens that have ended. Every minute, serasi.tick_sessions() checks the next 500 sessions in
-- order of their IDs and starts over after the last one, so that the work is bounded without an index on end times.

-- Sessions are kept for a while after their end, so that clients learn why they ended, and used refresh tokens, because reusing
-- one ends the session.
create or replace function serasi.tick_sessions() returns void language plpgsql security definer as $$
declare
  kept auth.settings;
  slice uuid[];
  over constant timestamptz := now() - serasi.kept_for('auth.sessions', 'ended');
  unused constant timestamptz := now() - serasi.kept_for('auth.sessions', 'unused');
  used constant timestamptz := now() - serasi.kept_for('auth.refresh_tokens', 'used');
begin
  insert into auth.settings default values on conflict do nothing;
  select * into kept from auth.settings;
  slice := array(select id from auth.sessions where id > kept.sessions_swept_to order by id limit 500);
  delete from auth.sessions
  where id in (
    select id from auth.sessions
    where id = any(slice) and (
      ended_at <= over or not_after <= over or created_at + kept.session_time_box <= over
      or coalesce(refreshed_at, created_at) + kept.session_inactivity_timeout <= over
      or coalesce(refreshed_at, created_at) <= unused)
    for update skip locked);
  delete from auth.refresh_tokens
  where id in (
    select id from auth.refresh_tokens
    where session_id = any(slice) and revoked_at <= used
    order by id limit 5000
    for update skip locked);
  update auth.settings
  set sessions_swept_to = case when cardinality(slice) = 500 then slice[500] else '00000000-0000-0000-0000-000000000000' end;
end $$;
