-- Applications for gigs: who may apply, and how applications change state. gig_closing.sql sends the notifications.

-- Lists call the next two functions for each gig, so PostgreSQL may cache their plans (see parties.sql).

create or replace function app.places_taken(gig uuid) returns bigint language sql stable security definer set plan_cache_mode = auto as $$
  select count(*) from app.gig_applications where gig_id = gig and state in ('accepted', 'completed')
$$;

-- 'open'; 'full' if all places are taken; or 'closed' if the last day is over in Malaysia or an admin closed the gig.
create or replace function app.gig_state(gig uuid) returns text language sql stable security definer set plan_cache_mode = auto as $$
  select case
    when closed_at is not null or closes_on < (now() at time zone 'Asia/Kuala_Lumpur')::date then 'closed'
    when places <= app.places_taken(id) then 'full'
    else 'open' end
  from app.gigs where id = gig
$$;

-- The number of places left, or null if the gig has no limit.
create or replace function app.gig_places_left(gig uuid) returns bigint language sql stable as $$
  select places - app.places_taken(id) from app.gigs where id = gig
$$;

grant execute on function app.gig_state(uuid), app.places_taken(uuid) to authenticated, service_role;

-- Locks a gig and its parties, and raises an error if admins closed the gig or blocked its agency.
create or replace function app.lock_open_gig(influencer uuid, gig uuid) returns app.gigs language plpgsql as $$
declare
  locked app.gigs;
begin
  perform app.lock_parties('{}', array[influencer], array(select agency_id from app.gigs where id = gig));
  -- Waits for a decision that may take the last place.
  select * into locked from app.gigs where id = gig for share;
  perform app.refuse_if(locked.closed_at is not null or app.is_blocked((select user_id from app.agencies where id = locked.agency_id)),
    'PT409', 'This gig is closed');
  return locked;
end $$;

-- Raises an error if the gig's state, an earlier application or a limit does not allow a new application. Otherwise deletes
-- the withdrawn application that the new one replaces, if any, and returns when it was created.
create or replace function app.check_application(influencer uuid, gig uuid) returns timestamptz language plpgsql as $$
declare
  earlier app.gig_applications;
begin
  -- Serializes the influencer's requests, so that each counts the previous one's application.
  perform pg_advisory_xact_lock(hashtextextended('app.gig_applications ' || influencer, 0));
  perform app.check_sender(auth.uid(), 'apply for gigs');
  perform app.refuse_if((app.lock_open_gig(influencer, gig)).id is null, 'PT404', 'This gig was removed');
  select * into earlier from app.gig_applications where gig_id = gig and influencer_id = influencer for update;
  perform app.refuse_if(earlier.state <> 'withdrawn',
    'PT409', format('You have already applied for this gig. The state of your application is %s', earlier.state));
  perform app.refuse_if(earlier.earlier_created_at is not null,
    'PT409', 'You have withdrawn your application twice and can''t apply for this gig again');
  perform app.refuse_if(app.gig_state(gig) = 'full', 'PT409', 'This gig is full');
  perform app.refuse_if(app.gig_state(gig) = 'closed', 'PT409', 'This gig is closed');
  -- A second application for a gig replaces the first, which still counts (earlier_created_at).
  perform app.refuse_too_many('You can apply for 20 gigs a day, please try again later', (
    select made_at + interval '24 hours' from app.gig_applications
    cross join unnest(array[created_at, earlier_created_at]) as made (made_at)
    where influencer_id = influencer and made_at > now() - interval '24 hours'
    order by made_at desc offset 19 limit 1));
  delete from app.gig_applications where id = earlier.id;
  return earlier.created_at;
end $$;

-- Callers who may not apply are left to the policy, so that these error messages tell them nothing about gigs.
create or replace function app.apply_for_gig() returns trigger language plpgsql security definer as $$
begin
  new.influencer_id := app.own_influencer_id();
  if new.influencer_id is not null and app.may_browse_gigs() then
    new.earlier_created_at := app.check_application(new.influencer_id, new.gig_id);
  end if;
  return new;
end $$;

-- With the service key, everything is possible but what the trust desk has ended.
create or replace function app.check_application_by_service() returns trigger language plpgsql security definer as $$
begin
  if new.state in ('applied', 'shortlisted', 'accepted') then
    perform app.lock_open_gig(new.influencer_id, new.gig_id);
    perform app.check_sender((select user_id from app.influencers where id = new.influencer_id), 'apply for gigs', proved => false);
  end if;
  return new;
end $$;

create or replace trigger check_application_by_service before insert or update of state on app.gig_applications
  for each row when (current_user = 'service_role') execute function app.check_application_by_service();

create or replace trigger apply_for_gig before insert on app.gig_applications
  for each row when (not pg_has_role('service_role', 'usage')) execute function app.apply_for_gig();

-- Applications keep the gig's title, so that they can show it after the gig is deleted.
create or replace function app.copy_gig() returns trigger language plpgsql security definer as $$
begin
  select agency_id, title into new.agency_id, new.gig_title from app.gigs where id = new.gig_id;
  new.gig_title := coalesce(new.gig_title, '');
  return new;
end $$;

create or replace trigger copy_gig before insert on app.gig_applications
  for each row execute function app.copy_gig();

-- Whether all of these applications exist and belong to the caller's agency.
create or replace function app.decides_on(ids uuid[]) returns boolean language sql stable as $$
  select app.has_role('agency') and not exists (
    select from unnest(ids) as wanted (id) left join app.gig_applications using (id)
    where agency_id is null or agency_id is distinct from app.own_agency_id())
$$;

-- The return value of the functions below.
create or replace function app.application_result(application uuid) returns jsonb language sql stable as $$
  select jsonb_build_object('id', id, 'state', state, 'decided_at', decided_at, 'collaboration_id', collaboration_id)
  from app.gig_applications where id = application
$$;

-- Raises an error if the state of the application or of its gig does not allow the decision.
create or replace function app.check_decision(current app.gig_applications, decision text) returns void language plpgsql as $$
begin
  perform app.refuse_if(current.state = 'applied' and decision = 'accepted',
    'PT409', 'Shortlist this application before you accept it. Its state is applied');
  perform app.refuse_if(not (current.state = 'applied' or current.state = 'shortlisted' and decision <> 'shortlisted'),
    'PT409', format('This application is %s and can''t be %s', current.state, decision));
  perform app.refuse_if(decision <> 'declined' and current.gig_id is null,
    'PT409', format('This gig was removed, so the application stays %s', current.state));
  perform app.refuse_if(decision = 'accepted' and app.gig_places_left(current.gig_id) <= 0,
    'PT409', format('All places are taken, so the application stays %s', current.state));
end $$;

-- Idempotent: repeating a decision changes nothing and returns the same result.
create or replace function app.decide_application(application_id uuid, decision text) returns jsonb language plpgsql security definer as $$
declare
  current app.gig_applications;
  collaboration uuid;
begin
  perform app.refuse_if(decision is null or decision not in ('shortlisted', 'accepted', 'declined'),
    'PT400', 'The decision must be shortlisted, accepted or declined');
  perform app.refuse_if(not app.decides_on(array[application_id]), 'PT404', 'This application doesn''t exist');
  select * into current from app.lock_applications(array[application_id]);
  if current.state = decision then
    return app.application_result(application_id);
  end if;
  perform app.check_decision(current, decision);
  if decision <> 'declined' then
    perform app.check_sender(auth.uid(), 'decide on applications', proved => false);
    perform app.refuse_if(app.is_blocked((select user_id from app.influencers where id = current.influencer_id)),
      'PT409', 'The influencer''s account is blocked');
  end if;
  if decision = 'accepted' then
    collaboration := app.open_collaboration('application', current.gig_title, current.influencer_id, auth.uid(), current.agency_id);
  end if;
  update app.gig_applications set state = decision, decided_at = now(), collaboration_id = collaboration
  where id = application_id;
  perform app.tell_applicant(application_id, 'application_decided', decision);
  perform app.tell_gig_closed(current.gig_id, 'full') where decision = 'accepted' and app.gig_places_left(current.gig_id) <= 0;
  return app.application_result(application_id);
end $$;

-- Declines the applications that are still waiting for a decision, and returns the state of each, ordered by ID.
create or replace function app.decline_applications(application_ids uuid[]) returns jsonb language plpgsql security definer as $$
declare
  current app.gig_applications;
  results jsonb := '[]';
begin
  perform app.refuse_if(coalesce(cardinality(application_ids), 0) not between 1 and 200,
    'PT400', 'Decline 1 to 200 applications at a time');
  perform app.refuse_if(not app.decides_on(application_ids), 'PT404', 'One of these applications doesn''t exist');
  for current in select * from app.lock_applications(application_ids) loop
    if current.state in ('applied', 'shortlisted') then
      update app.gig_applications set state = 'declined', decided_at = now() where id = current.id;
      perform app.tell_applicant(current.id, 'application_decided', 'declined');
    end if;
    results := results || app.application_result(current.id);
  end loop;
  return results;
end $$;

-- Idempotent: repeating the call changes nothing and returns the same result.
create or replace function app.withdraw_application(application_id uuid) returns jsonb language plpgsql security definer as $$
declare
  current app.gig_applications;
begin
  perform app.refuse_if(not exists (select from app.gig_applications where id = application_id and influencer_id = app.own_influencer_id()),
    'PT404', 'This application doesn''t exist');
  select * into current from app.lock_applications(array[application_id]);
  if current.state in ('applied', 'shortlisted') then
    update app.gig_applications set state = 'withdrawn' where id = application_id;
    -- The agency is only notified if it has been told of the application.
    perform app.tell_agency_of_withdrawal(application_id) where current.digested_at is not null;
  else
    perform app.refuse_if(current.state <> 'withdrawn', 'PT409', format('This application is %s and can''t be withdrawn', current.state));
  end if;
  return app.application_result(application_id);
end $$;

-- An application takes the state of its collaboration. Cancelling the collaboration frees the place.
create or replace function app.follow_collaboration() returns trigger language plpgsql security definer as $$
begin
  update app.gig_applications set state = new.state where collaboration_id = new.id;
  return null;
end $$;

create or replace trigger follow_collaboration after update of state on app.collaborations
  for each row when (new.source = 'application' and new.state is distinct from old.state)
  execute function app.follow_collaboration();

create or replace function public.decide_application(application_id uuid, decision text) returns jsonb
language sql as $$ select app.decide_application(application_id, decision) $$;
create or replace function public.decline_applications(application_ids uuid[]) returns jsonb
language sql as $$ select app.decline_applications(application_ids) $$;
create or replace function public.withdraw_application(application_id uuid) returns jsonb
language sql as $$ select app.withdraw_application(application_id) $$;

grant execute on function app.decide_application(uuid, text), app.decline_applications(uuid[]), app.withdraw_application(uuid),
  public.decide_application(uuid, text), public.decline_applications(uuid[]), public.withdraw_application(uuid) to authenticated;
