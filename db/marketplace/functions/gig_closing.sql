-- Notifications about applications and about gigs that close, immediate and scheduled.

create or replace function app.tell_applicant(application uuid, kind text, state text) returns void language plpgsql as $$
begin
  perform app.notify(influencers.user_id, tell_applicant.kind, applications.id, jsonb_strip_nulls(jsonb_build_object(
    'name', agencies.name, 'title', applications.gig_title, 'state', tell_applicant.state, 'agency_id', agencies.id,
    'collaboration_id', applications.collaboration_id, 'closes_on', gigs.closes_on, 'path', '/applications')))
  from app.gig_applications as applications
  join app.influencers on influencers.id = applications.influencer_id
  left join app.agencies on agencies.id = applications.agency_id
  left join app.gigs on gigs.id = applications.gig_id
  where applications.id = application;
end $$;

create or replace function app.tell_agency_of_withdrawal(application uuid) returns void language plpgsql as $$
begin
  perform app.notify(agencies.user_id, 'application_withdrawn', applications.id, jsonb_build_object(
    'name', influencers.name, 'title', applications.gig_title, 'state', applications.state,
    'path', coalesce('/gigs/' || applications.gig_id || '/applicants', '/agency-dashboard?tab=gigs')))
  from app.gig_applications as applications
  join app.agencies on agencies.id = applications.agency_id
  join app.influencers on influencers.id = applications.influencer_id
  where applications.id = application;
end $$;

-- Notifies the first applicants who wait for a decision, and returns the IDs of their applications. app.tick() notifies the
-- others, because a gig can have thousands. An applicant whose account is being deleted is skipped instead of waiting for
-- the deletion, which may in turn wait for this transaction.
create or replace function app.tell_first_applicants(gig uuid, why text) returns uuid[] language plpgsql as $$
declare
  applications constant uuid[] := array(
    select application.id from app.gig_applications as application
    join app.influencers on influencers.id = influencer_id
    join app.profiles on profiles.id = influencers.user_id
    where gig_id = gig and state in ('applied', 'shortlisted')
    order by application.id limit app.notices_left() for key share of profiles skip locked);
begin
  perform app.tell_applicant(id, 'gig_closed', why) from unnest(applications) as id;
  perform app.count_notices(cardinality(applications));
  return applications;
end $$;

-- Notifies everyone who waits for a decision. `state` is the reason: 'full' or 'closed'.
create or replace function app.tell_gig_closed(gig uuid, state text) returns void language plpgsql as $$
declare
  told constant uuid[] := app.tell_first_applicants(gig, state);
begin
  update app.gig_applications set untold = tell_gig_closed.state
  where gig_id = gig and gig_applications.state in ('applied', 'shortlisted') and id <> all (told);
end $$;

-- Notifies the applicants that wait for it, unless the gig is open again or, for a reminder, over.
create or replace function app.tell_waiting_applicants() returns void language plpgsql as $$
declare
  waiting record;
  current app.gig_applications;
begin
  for waiting in
    select applications.id, untold from app.gig_applications as applications
    join app.influencers on influencers.id = influencer_id
    join app.profiles on profiles.id = influencers.user_id
    where untold is not null order by applications.id limit 500
    for key share of profiles skip locked for update of applications skip locked
  loop
    update app.gig_applications set untold = null where id = waiting.id returning * into current;
    if waiting.untold = 'closing' then
      perform app.tell_applicant(waiting.id, 'gig_closing', current.state)
      where current.state = 'shortlisted' and app.gig_state(current.gig_id) = 'open';
    -- Only admins, who close a gig, cancel an application that was not accepted.
    elsif current.state = 'cancelled'
      or current.state in ('applied', 'shortlisted') and app.gig_state(current.gig_id) is distinct from 'open' then
      perform app.tell_applicant(waiting.id, 'gig_closed', waiting.untold);
    end if;
  end loop;
end $$;

-- Makes the changes of both foreign keys in one update. The subquery gives null if the same statement deletes the agency.
create or replace function app.tell_gig_removed() returns trigger language plpgsql security definer as $$
declare
  told constant uuid[] := app.tell_first_applicants(old.id, 'removed');
begin
  update app.gig_applications set gig_id = null, agency_id = (select id from app.agencies where id = old.agency_id),
    untold = case when id = any (told) then null when state in ('applied', 'shortlisted') then 'removed' else untold end
  where gig_id = old.id;
  return old;
end $$;

create or replace trigger tell_gig_removed before delete on app.gigs
  for each row execute function app.tell_gig_removed();

-- Reducing the number of places can make a gig full.
create or replace function app.tell_gig_full() returns trigger language plpgsql security definer as $$
begin
  perform app.tell_gig_closed(new.id, 'full')
  where app.gig_places_left(new.id) <= 0 and (old.places <= app.places_taken(new.id)) is not true;
  return null;
end $$;

create or replace trigger tell_gig_full after update of places on app.gigs
  for each row when (new.places is distinct from old.places) execute function app.tell_gig_full();

-- Reminds shortlisted applicants two days before a gig closes.
create or replace function app.remind_of_closing() returns void language sql as $$
  with closing as (
    update app.gigs set reminded_for = closes_on where id in (
      select id from app.gigs
      where reminded_for is distinct from closes_on and closed_at is null
        -- closes_on is the last day, in Malaysia.
        and closes_on >= (now() at time zone 'Asia/Kuala_Lumpur')::date
        and closes_on < ((now() + interval '48 hours') at time zone 'Asia/Kuala_Lumpur')::date
      order by closes_on limit 20 for no key update skip locked)
    returning id)
  -- app.tell_waiting_applicants() reminds them, a bounded number at a time.
  update app.gig_applications set untold = 'closing' where id in (
    select id from app.gig_applications where gig_id in (select id from closing) and state = 'shortlisted' for update skip locked)
$$;

create or replace function app.tell_closed_gigs() returns void language sql as $$
  with over as (
    update app.gigs set closed_for = closes_on where id in (
      select id from app.gigs
      where closed_for is distinct from closes_on and closed_at is null and closes_on < (now() at time zone 'Asia/Kuala_Lumpur')::date
      order by closes_on limit 20 for no key update skip locked)
    returning id)
  -- Applicants for a full gig were notified when it became full.
  select app.tell_gig_closed(id, 'closed') from over where coalesce(app.gig_places_left(id), 1) > 0
$$;

-- Notifies agencies of new applications, at most once per hour, with the total and up to five gigs by name.
create or replace function app.digest_applications() returns void language plpgsql as $$
declare
  reader app.agencies;
  about jsonb;
begin
  for reader in
    -- Locks the account first, in the order of deletions.
    select agencies.* from app.agencies join app.profiles on profiles.id = agencies.user_id
    where agencies.id in (select agency_id from app.gig_applications where digested_at is null)
      and not exists (select from app.gig_applications where agency_id = agencies.id and digested_at > now() - interval '1 hour')
    limit 50 for key share of profiles skip locked
  loop
    with fresh as (
      update app.gig_applications set digested_at = now() where id in (
        select id from app.gig_applications where agency_id = reader.id and digested_at is null for update skip locked)
      returning gig_id, gig_title, state
    ), by_gig as (
      select gig_id, min(gig_title) as title, count(*) as number from fresh
      where gig_id is not null and state in ('applied', 'shortlisted') group by gig_id
      order by number desc, gig_id
    )
    select jsonb_build_object('count', sum(number), 'title', (array_agg(title))[1],
      'path', case count(*) when 1 then '/gigs/' || min(gig_id::text) || '/applicants' else '/agency-dashboard?tab=gigs' end,
      'gigs', (select jsonb_agg(jsonb_build_object('title', left(title, 100), 'count', number, 'path', '/gigs/' || gig_id || '/applicants'))
        from (select * from by_gig limit 5) as named))
    into about from by_gig;
    perform app.notify(reader.user_id, 'application_received', reader.id, about) where about ->> 'count' is not null;
  end loop;
end $$;
