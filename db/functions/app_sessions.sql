-- Deletes sessions and refresh tokens that have ended. Every minute, app.tick_sessions() checks the next 500 sessions in
-- order of their IDs and starts over after the last one, so that the work is bounded without an index on end times.

-- Sessions are kept for a week after their end, so that clients learn why they ended. Used refresh tokens are kept for 30
-- days: until then, reusing one ends the session.
create or replace function app.tick_sessions() returns void
language plpgsql security definer set search_path = '' as $$
declare
  kept auth.settings;
  slice uuid[];
  over constant timestamptz := now() - interval '7 days';
begin
  insert into auth.settings default values on conflict do nothing;
  select * into kept from auth.settings;
  slice := array(select id from auth.sessions where id > kept.sessions_swept_to order by id limit 500);
  delete from auth.sessions
  where id in (
    select id from auth.sessions
    where id = any(slice) and (
      ended_at <= over or not_after <= over or created_at + kept.session_time_box <= over
      or coalesce(refreshed_at, created_at) + kept.session_inactivity_timeout <= over)
    for update skip locked);
  delete from auth.refresh_tokens
  where id in (
    select id from auth.refresh_tokens
    where session_id = any(slice) and revoked_at <= now() - interval '30 days'
    order by id limit 5000
    for update skip locked);
  update auth.settings
  set sessions_swept_to = case when cardinality(slice) = 500 then slice[500] else '00000000-0000-0000-0000-000000000000' end;
end $$;

-- Deletes challenges, failure counts and unverified factors of abandoned attempts.
create or replace function app.tick_factors() returns void
language plpgsql security definer set search_path = '' as $$
begin
  delete from auth.mfa_challenges where id in (
    select id from auth.mfa_challenges where created_at <= now() - interval '1 hour' limit 1000 for update skip locked);
  delete from auth.mfa_failures where user_id in (
    select user_id from auth.mfa_failures where created_at <= now() - interval '1 hour' limit 1000 for update skip locked);
  delete from auth.mfa_factors where id in (
    select id from auth.mfa_factors
    where verified_at is null and created_at <= now() - interval '1 day' limit 1000 for update skip locked);
end $$;
