-- An account, its row in app.profiles and its role are created in one transaction.

-- The role comes from app_metadata, which only the admin API and SQL can set, or else from the user's choice at sign-up.
-- A statement-level trigger, so that a bulk load runs these queries once instead of once per row.
create or replace function app.open_accounts() returns trigger language plpgsql security definer as $$
begin
  -- A data dump sets this role, and its accounts have an instance. Other programs that set it insert the profiles themselves.
  if current_setting('session_replication_role') = 'replica' and not exists (select from fresh where instance_id is not null) then
    return null;
  end if;

  perform app.refuse_if(exists (
    select from fresh
    where coalesce(raw_app_meta_data ->> 'marketplace_role', '') not in ('admin', 'superadmin')
      and jsonb_typeof(raw_user_meta_data -> 'user_type') <> 'null'
      and raw_user_meta_data -> 'user_type' not in ('"influencer"', '"agency"', '"vendor"')),
    'SR001', 'user_type must be influencer, agency or vendor');

  insert into app.profiles (id, email) select id, email from fresh;

  insert into app.user_roles (user_id, role)
  select id, chosen.role
  from fresh
  cross join lateral (select case when raw_app_meta_data ->> 'marketplace_role' in ('admin', 'superadmin')
    then raw_app_meta_data ->> 'marketplace_role' else raw_user_meta_data ->> 'user_type' end as role) as chosen
  where chosen.role is not null;
  return null;
end $$;

create or replace trigger open_accounts after insert on auth.users
  referencing new table as fresh
  for each statement execute function app.open_accounts();
alter table auth.users enable always trigger open_accounts;

-- A soft delete keeps the account's empty row, and nothing else: profiles, gigs, images and settings go as with a hard
-- delete. The role is deleted first, while the audit log can still record the account's address. That also fires the
-- trigger that keeps the last superadmin.
create or replace function app.close_accounts() returns trigger language plpgsql security definer as $$
begin
  delete from app.user_roles where user_id = new.id;
  delete from app.favorites where user_id = new.id;
  delete from app.profiles where id = new.id;
  return null;
end $$;

-- Triggers fire in order of their names: before copy_email, so that the audit log still records the account's address.
create or replace trigger close_accounts after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function app.close_accounts();

create or replace function app.copy_email() returns trigger language plpgsql security definer as $$
begin
  update app.profiles set email = new.email where id = new.id;
  return null;
end $$;

create or replace trigger copy_email after update of email on auth.users
  for each row when (old.email is distinct from new.email)
  execute function app.copy_email();

-- At least one superadmin who can sign in always remains: no API call can remove the role, delete the account or ban the
-- user. The lock makes the second removal fail if two superadmins remove each other at the same time. Database superusers
-- are exempt.
create or replace function app.keep_a_superadmin() returns trigger language plpgsql security definer as $$
declare
  -- current_user would be the owner of this function.
  actor constant name := coalesce(nullif(current_setting('role'), 'none'), session_user);
begin
  if exists (select from pg_catalog.pg_roles where rolname = actor and rolsuper) then
    return null;
  end if;
  if tg_relid = 'auth.users'::regclass then
    if not exists (select from app.user_roles where user_id = new.id and role = 'superadmin') then
      return null;
    end if;
  end if;
  perform pg_advisory_xact_lock(hashtext('app.keep_a_superadmin'));
  perform app.refuse_if(not app.any_superadmin(),
    '23001', 'The last superadmin can''t be removed', 'user_roles', 'user_roles_keep_a_superadmin');
  return null;
end $$;

create or replace function app.any_superadmin() returns boolean language sql volatile as $$
  select exists (
    select from app.user_roles
    join auth.users on users.id = user_roles.user_id
    where user_roles.role = 'superadmin' and users.deleted_at is null
      and (users.banned_until is null or users.banned_until <= now())
  )
$$;

create or replace trigger keep_a_superadmin_deleted after delete on app.user_roles
  for each row when (old.role = 'superadmin') execute function app.keep_a_superadmin();
create or replace trigger keep_a_superadmin_updated after update of user_id, role on app.user_roles
  for each row when (old.role = 'superadmin' and (new.user_id <> old.user_id or new.role <> 'superadmin'))
  execute function app.keep_a_superadmin();
create or replace trigger keep_a_superadmin_banned after update of banned_until on auth.users
  for each row when (new.banned_until is distinct from old.banned_until and new.banned_until is not null)
  execute function app.keep_a_superadmin();
