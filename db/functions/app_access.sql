-- The checks that policies call. Security definer, because a policy that reads a table would apply that
-- table's own policies (on user_roles itself, without end). Called as (select app.…()), which runs once per
-- statement. Each call looks the role up and never takes it from the token, so that removing a role takes
-- effect at once.

create or replace function app.has_role(wanted text) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from app.user_roles where user_id = auth.uid() and role = wanted)
$$;

-- The session of the caller's token; null if it names none.
create or replace function app.session_id() returns uuid
language sql stable set search_path = '' as $$
  select case when claim ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then claim::uuid end
  from (select auth.jwt() ->> 'session_id' as claim) as token
$$;

-- Whether the caller may use a staff role. Who has a second factor needs a session that has passed the second step, and so
-- does everybody of the staff if the auth service says so. The session is looked up: what the token says about it may be
-- outdated. Called for staff only, so that nobody else pays for it. In PL/pgSQL, which keeps the plans.
create or replace function app.has_second_step() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  caller constant uuid := auth.uid();
begin
  if not exists (select from auth.mfa_factors where user_id = caller and verified_at is not null)
    and not exists (select from auth.settings where admin_mfa_required) then
    return true;
  end if;
  return exists (
    select from auth.sessions
    where id = app.session_id() and user_id = caller and aal = 'aal2' and (not_after is null or not_after > now()));
end $$;

create or replace function app.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from app.user_roles where user_id = auth.uid() and role in ('admin', 'superadmin'))
    then app.has_second_step() else false end
$$;

create or replace function app.is_superadmin() returns boolean
language sql stable security definer set search_path = '' as $$
  select case
    when exists (select from app.user_roles where user_id = auth.uid() and role = 'superadmin')
    then app.has_second_step() else false end
$$;

create or replace function app.is_last_superadmin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from app.user_roles where user_id = auth.uid() and role = 'superadmin')
    and not exists (
      select from app.user_roles
      join auth.users on users.id = user_roles.user_id
      where user_roles.user_id <> auth.uid() and user_roles.role = 'superadmin' and users.deleted_at is null
    )
$$;

-- The lowest id for admins, null for all others. As the lower bound of ids, it lets admins read all rows and PostgreSQL read
-- the rows of others from indexes, which `… or (select app.is_admin())` does not.
create or replace function app.first_id_for_admins() returns uuid
language sql stable security definer set search_path = '' as $$
  select case when app.is_admin() then '00000000-0000-0000-0000-000000000000'::uuid end
$$;

-- The caller's own agency, through which it posts gigs.
create or replace function app.own_agency_id() returns uuid
language sql stable security definer set search_path = '' as $$
  select id from app.agencies where user_id = auth.uid()
$$;

-- Gigs are for admins, and for influencers who are approved and verified and whose access was not withdrawn.
create or replace function app.may_browse_gigs() returns boolean
language sql stable security definer set search_path = '' as $$
  select app.is_admin() or (
    app.has_role('influencer') and exists (
      select from app.influencers
      join app.influencer_moderation using (user_id)
      where user_id = auth.uid()
        and influencers.approved and influencers.verified and influencer_moderation.access_gigs_page
    )
  )
$$;

grant execute on function
  app.has_role(text), app.is_admin(), app.is_superadmin(), app.is_last_superadmin(), app.first_id_for_admins(), app.own_agency_id(),
  app.may_browse_gigs()
to authenticated, service_role;
