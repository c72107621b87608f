-- The two parties of a collaboration: who they are, and what each can see of the other.

-- The ID of the caller's influencer profile, or null.
create or replace function app.own_influencer_id() returns uuid language sql stable security definer as $$
  select id from app.influencers where user_id = app.account_id()
$$;

create or replace function app.other_side(side text) returns text
language sql immutable as $$ select case side when 'influencer' then 'client' else 'influencer' end $$;

-- The caller's side, or null if the caller is not a party.
create or replace function app.own_side(collaboration uuid) returns text language plpgsql stable security definer as $$
declare
  caller constant uuid := app.account_id();
begin
  return (
    select case caller when influencers.user_id then 'influencer' when work.client_user_id then 'client' when agencies.user_id then 'client' end
    from app.collaborations as work
    left join app.influencers on influencers.id = work.influencer_id
    left join app.agencies on agencies.id = work.agency_id
    where work.id = collaboration);
end $$;

-- The caller's side. For others, the error is the same as for a collaboration that doesn't exist.
create or replace function app.required_side(collaboration uuid) returns text language plpgsql stable as $$
declare
  side constant text := app.own_side(collaboration);
begin
  perform app.refuse_if(side is null, 'PT404', 'This collaboration doesn''t exist, or you have no part in it');
  return side;
end $$;

-- The account of a side, or null for guests and deleted accounts.
create or replace function app.party_account(collaboration uuid, side text) returns uuid language sql stable as $$
  select case side
    when 'influencer' then (select user_id from app.influencers where id = work.influencer_id)
    else coalesce(work.client_user_id, (select user_id from app.agencies where id = work.agency_id))
  end
  from app.collaborations as work where work.id = collaboration
$$;

-- The name of a side, or null if its profile was deleted. PL/pgSQL, so that only this side's tables are read.
create or replace function app.party_name(collaboration uuid, side text) returns text language plpgsql stable as $$
declare
  work app.collaborations;
begin
  select * into work from app.collaborations where id = collaboration;
  if side = 'influencer' then
    return (select name from app.influencers where id = work.influencer_id);
  end if;
  return coalesce(
    (select coalesce(nullif(company_name, ''), name) from app.agencies where id = work.agency_id),
    (select coalesce(nullif(company_name, ''), name) from app.agencies where user_id = work.client_user_id),
    (select coalesce(nullif(company_name, ''), name) from app.vendors where user_id = work.client_user_id),
    (select name from app.influencers where user_id = work.client_user_id),
    work.guest_name);
end $$;

create or replace function app.is_guest(collaboration uuid) returns boolean language sql stable as $$
  select client_user_id is null and agency_id is null and guest_name is not null from app.collaborations where id = collaboration
$$;

-- The e-mail address of a side. PL/pgSQL, so that a guest's address is only looked up if there is a guest.
create or replace function app.party_address(collaboration uuid, side text) returns text language plpgsql stable as $$
begin
  if side = 'client' and app.is_guest(collaboration) then
    return app.guest_address(collaboration);
  end if;
  return (select email from app.profiles where id = app.party_account(collaboration, side));
end $$;

-- The view shows names and addresses to both sides and to the service key. A list calls these functions four times per row:
-- each is one query with joins, and PL/pgSQL starts faster than SQL. The gateway runs lists with plan_cache_mode =
-- force_custom_plan; without `auto` here, PostgreSQL would also plan these queries again for each row, which takes longer
-- than running them.
create or replace function app.shown_name(collaboration uuid, side text) returns text
language plpgsql stable security definer set plan_cache_mode = auto as $$
declare
  caller constant uuid := app.account_id();
begin
  return (
    select case side when 'influencer' then influencers.name
      else coalesce(nullif(agencies.company_name, ''), agencies.name, app.party_name(work.id, 'client')) end
    from app.collaborations as work
    left join app.influencers on influencers.id = work.influencer_id
    left join app.agencies on agencies.id = work.agency_id
    where work.id = collaboration
      and (caller in (influencers.user_id, work.client_user_id, agencies.user_id) or auth.role() = 'service_role'));
end $$;

create or replace function app.shown_address(collaboration uuid, side text) returns text
language plpgsql stable security definer set plan_cache_mode = auto as $$
declare
  caller constant uuid := app.account_id();
begin
  return (
    select coalesce(profiles.email, case when side = 'client' and app.is_guest(work.id) then app.guest_address(work.id) end)
    from app.collaborations as work
    left join app.influencers on influencers.id = work.influencer_id
    left join app.agencies on agencies.id = work.agency_id
    left join app.profiles
      on profiles.id = case side when 'influencer' then influencers.user_id else coalesce(work.client_user_id, agencies.user_id) end
    where work.id = collaboration
      and (caller in (influencers.user_id, work.client_user_id, agencies.user_id) or auth.role() = 'service_role'));
end $$;

-- Tells a side about a change: accounts by a notification, guests by a mail.
create or replace function app.tell_party(collaboration uuid, to_side text, kind text, data jsonb) returns void language plpgsql as $$
declare
  known constant jsonb := data || jsonb_strip_nulls(jsonb_build_object(
    'name', app.party_name(collaboration, app.other_side(to_side)),
    'title', (select title from app.collaborations where id = collaboration)));
begin
  if to_side = 'client' and app.is_guest(collaboration) then
    perform app.mail_guest(collaboration, kind, known);
  else
    perform app.notify(app.party_account(collaboration, to_side), kind, collaboration, known);
  end if;
end $$;

grant execute on function app.own_influencer_id(), app.own_side(uuid), app.shown_name(uuid, text), app.shown_address(uuid, text) to
  authenticated, service_role;
