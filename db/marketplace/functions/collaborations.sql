-- A collaboration begins when an enquiry or a gig application is accepted, and ends when it is completed or cancelled. Its
-- two sides are 'influencer' and 'client'.

-- Called when an enquiry or application is accepted. The calling function checks permissions.
create or replace function app.open_collaboration(
  source text, title text, influencer_id uuid, client_user_id uuid, agency_id uuid default null, guest_name text default null
) returns uuid language sql as $$
  insert into app.collaborations (source, title, influencer_id, client_user_id, agency_id, guest_name)
  values (source, title, influencer_id, client_user_id, agency_id, guest_name)
  returning id
$$;

-- Marks the collaboration as completed by a side, and completes it when both sides have done so. Returns the state.
-- Idempotent. The row lock ensures that the second of two concurrent calls sees the first.
create or replace function app.complete_side(collaboration uuid, by_side text) returns text language plpgsql as $$
declare
  work app.collaborations := app.lock_collaboration(collaboration);
begin
  perform app.refuse_if(work.state = 'cancelled', 'PT409', 'The collaboration is cancelled');
  if work.state = 'completed'
    or (case by_side when 'influencer' then work.influencer_completed_at else work.client_completed_at end) is not null then
    return work.state;
  end if;
  update app.collaborations as done set
    influencer_completed_at = case by_side when 'influencer' then now() else done.influencer_completed_at end,
    client_completed_at = case by_side when 'client' then now() else done.client_completed_at end
  where id = collaboration returning * into work;
  if work.influencer_completed_at is not null and work.client_completed_at is not null then
    perform app.finish_collaboration(collaboration);
    return 'completed';
  end if;
  perform app.tell_party(collaboration, app.other_side(by_side), 'collaboration_completed',
    jsonb_build_object('state', 'accepted', 'completes_at', now() + interval '7 days', 'path', '/collaborations'));
  return work.state;
end $$;

-- The calling function has locked the row.
create or replace function app.finish_collaboration(collaboration uuid) returns void language plpgsql as $$
begin
  update app.collaborations set state = 'completed', completed_at = now() where id = collaboration;
  perform app.tell_party(collaboration, side, 'review_invited', jsonb_build_object(
    'state', 'completed', 'until', now() + app.review_period(), 'path', '/review/' || collaboration))
  from unnest('{influencer,client}'::text[]) as side;
end $$;

-- Cancels the collaboration on behalf of a side, or of the admins ('admin'). Returns the state. Repeating the call for the
-- same side changes nothing.
create or replace function app.cancel_side(collaboration uuid, by_side text, because text) returns text language plpgsql as $$
declare
  work constant app.collaborations := app.lock_collaboration(collaboration);
begin
  if work.state = 'cancelled' and work.cancelled_by = by_side then
    return work.state;
  end if;
  perform app.refuse_if(work.state <> 'accepted', 'PT409', 'The collaboration is ' || work.state);
  -- The reason is a message to the other side.
  perform app.check_sender(app.party_account(collaboration, by_side), 'cancel collaborations', proved => false);
  update app.collaborations set state = 'cancelled', cancelled_at = now(), cancelled_by = by_side, reason = because
  where id = collaboration;
  perform app.tell_party(collaboration, side, 'collaboration_cancelled', jsonb_build_object(
    'state', 'cancelled', 'by', by_side, 'reason', because, 'path', '/collaborations'))
  from unnest('{influencer,client}'::text[]) as side where side <> by_side;
  return 'cancelled';
end $$;

create or replace function app.complete_collaboration(collaboration_id uuid) returns text language sql security definer as $$
  select app.complete_side(collaboration_id, app.required_side(collaboration_id))
$$;

create or replace function public.complete_collaboration(collaboration_id uuid) returns text
language sql as $$ select app.complete_collaboration(collaboration_id) $$;

create or replace function app.cancel_collaboration(collaboration_id uuid, reason text) returns text language sql security definer as $$
  select app.cancel_side(collaboration_id, app.required_side(collaboration_id), reason)
$$;

create or replace function public.cancel_collaboration(collaboration_id uuid, reason text) returns text
language sql as $$ select app.cancel_collaboration(collaboration_id, reason) $$;

-- Deleting a party cancels its open collaborations. The guest's name is removed together with the client's account. There
-- may be thousands of collaborations: only the first parties are notified in this transaction (app.notices_left), and
-- app.tell_waiting_parties() notifies the others.
create or replace function app.lose_party() returns trigger language plpgsql security definer as $$
begin
  if old.client_user_id is not null and new.client_user_id is null then
    new.guest_name := null;
  end if;
  if new.state = 'accepted' then
    new.state := 'cancelled';
    new.cancelled_at := now();
    new.cancelled_by := 'deletion';
    if app.notices_left() > 0 then
      perform app.count_notices(1);
    else
      new.untold := app.side_left(old, new);
    end if;
  end if;
  return new;
end $$;

-- The remaining side, which is notified. The other one is being deleted.
create or replace function app.side_left(before app.collaborations, after app.collaborations) returns text language sql immutable as $$
  select case when before.influencer_id is not null and after.influencer_id is null then 'client' else 'influencer' end
$$;

create or replace function app.tell_of_loss(collaboration uuid, side text) returns void language sql as $$
  select app.tell_party(collaboration, side, 'collaboration_cancelled',
    '{"state": "cancelled", "by": "deletion", "path": "/collaborations"}')
$$;

create or replace function app.tell_of_lost_party() returns trigger language plpgsql security definer as $$
begin
  perform app.tell_of_loss(new.id, app.side_left(old, new));
  return null;
end $$;

-- Notifies the parties that app.lose_party() postponed.
create or replace function app.tell_waiting_parties() returns void language plpgsql as $$
declare
  waiting uuid;
  work app.collaborations;
begin
  for waiting in select id from app.collaborations where untold is not null order by id limit 500 loop
    begin
      work := app.lock_collaboration(waiting);
      perform app.tell_of_loss(work.id, work.untold) where work.untold is not null;
      update app.collaborations set untold = null where id = work.id;
    exception when lock_not_available then
    end;
  end loop;
end $$;

create or replace trigger lose_party before update of influencer_id, client_user_id, agency_id on app.collaborations
  for each row when (
    (old.influencer_id is not null and new.influencer_id is null)
    or (old.client_user_id is not null and new.client_user_id is null)
    or (old.agency_id is not null and new.agency_id is null))
  execute function app.lose_party();
create or replace trigger tell_of_lost_party after update on app.collaborations
  for each row when (old.state = 'accepted' and new.state = 'cancelled' and new.cancelled_by = 'deletion' and new.untold is null)
  execute function app.tell_of_lost_party();

-- Completes collaborations that one side completed 7 days ago, publishes reviews that are due (at most 50 of each), and
-- sends postponed notifications.
create or replace function app.tick_collaborations() returns void language plpgsql security definer set lock_timeout = '1ms' as $$
declare
  silent uuid;
begin
  for silent in
    select id from app.collaborations
    where state = 'accepted' and least(influencer_completed_at, client_completed_at) <= now() - interval '7 days'
    order by least(influencer_completed_at, client_completed_at) limit 50
  loop
    begin
      perform app.finish_collaboration(silent) where (app.lock_collaboration(silent)).state = 'accepted';
    exception when lock_not_available then
    end;
  end loop;
  perform app.publish_due_reviews();
  perform app.tell_waiting_parties();
end $$;

grant execute on function app.complete_collaboration(uuid), public.complete_collaboration(uuid), app.cancel_collaboration(uuid, text),
  public.cancel_collaboration(uuid, text) to authenticated;
