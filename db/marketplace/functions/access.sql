-- The checks that policies call. They are security definer functions: a subquery in a policy would be subject to the
-- policies of the table that it reads, and one on user_roles would recurse. Policies call them as (select app.…()), which
-- PostgreSQL evaluates once per statement. The role is looked up and never taken from the token, so that revoking a role
-- takes effect immediately.

-- Whether the account exists and is neither soft-deleted nor banned. PL/pgSQL caches its plan (see parties.sql).
create or replace function app.is_active(account uuid) returns boolean language plpgsql stable set plan_cache_mode = auto as $$
begin
  return exists (
    select from auth.users
    where id = account and deleted_at is null and (banned_until is null or banned_until <= now()));
end $$;

-- Whether the owner of the account's address has agreed: it was confirmed by mail, or an operator vouched for it.
create or replace function app.is_proved(account uuid) returns boolean language sql stable as $$
  select exists (select from auth.users where id = account and email_confirmed_at is not null and not email_unproved)
$$;

-- Serasi's own policies use this name.
create or replace function app.account_id() returns uuid language sql stable return auth.account_id();

create or replace function app.has_role(wanted text) returns boolean language sql stable security definer as $$
  select exists (select from app.user_roles where user_id = app.account_id() and role = wanted)
$$;

-- Whether the caller may use a staff role: never while the account is banned. Staff with a second factor need a session
-- that has passed the second step; if the auth service requires it, all staff do. The session is looked up, because the
-- token's claims may be outdated. Called for staff only, to save everyone else the queries. PL/pgSQL caches their plans.
create or replace function app.has_second_step() returns boolean language plpgsql stable as $$
declare
  caller constant uuid := app.account_id();
  session constant text := auth.jwt() ->> 'session_id';
begin
  if caller is null then
    return false;
  end if;
  if not exists (select from auth.mfa_factors where user_id = caller and verified_at is not null)
    and not exists (select from auth.settings where admin_mfa_required) then
    return true;
  end if;
  return exists (
    select from auth.sessions
    where id = case when session ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then session::uuid end
      and user_id = caller and aal = 'aal2' and (not_after is null or not_after > now()));
end $$;

create or replace function app.is_admin() returns boolean language sql stable security definer as $$
  select case
    when exists (select from app.user_roles where user_id = auth.uid() and role in ('admin', 'superadmin'))
    then app.has_second_step() else false end
$$;

create or replace function app.is_superadmin() returns boolean language sql stable security definer as $$
  select case
    when exists (select from app.user_roles where user_id = auth.uid() and role = 'superadmin')
    then app.has_second_step() else false end
$$;

create or replace function app.is_last_superadmin() returns boolean language sql stable security definer as $$
  select exists (select from app.user_roles where user_id = auth.uid() and role = 'superadmin')
    and not exists (
      select from app.user_roles
      join auth.users on users.id = user_roles.user_id
      where user_roles.user_id <> auth.uid() and user_roles.role = 'superadmin' and users.deleted_at is null
    )
$$;

-- The lowest possible UUID for admins, null for everyone else. As a lower bound of `id` in a policy, it matches all rows for
-- admins and none for others, and unlike `… or (select app.is_admin())` it lets PostgreSQL use indexes.
create or replace function app.first_id_for_admins() returns uuid language sql stable security definer as $$
  select case when app.is_admin() then '00000000-0000-0000-0000-000000000000'::uuid end
$$;

-- The ID of the caller's agency profile, or null.
create or replace function app.own_agency_id() returns uuid language sql stable security definer as $$
  select id from app.agencies where user_id = app.account_id()
$$;

-- Admins can browse gigs. Influencers can if they are approved and verified and an admin has not turned off their access.
create or replace function app.may_browse_gigs() returns boolean language sql stable security definer as $$
  select app.is_admin() or (
    app.has_role('influencer') and exists (
      select from app.influencers
      join app.moderation using (user_id)
      where user_id = app.account_id() and kind = 'influencer'
        and influencers.approved and influencers.verified and access_gigs_page
    )
  )
$$;

grant execute on function app.account_id(), app.has_role(text), app.is_admin(), app.is_superadmin(), app.is_last_superadmin(),
  app.first_id_for_admins(), app.own_agency_id(), app.may_browse_gigs() to authenticated, service_role;
