-- The caller's claims, from the token that the gateway or a service has verified. The functions have Supabase's names.
-- A subject that is no UUID belongs to no account: policies then show what no account owns, instead of failing (22P02).

create or replace function auth.jwt() returns jsonb language sql stable as $$
  select coalesce(nullif(current_setting('request.jwt.claims', true), ''), '{}')::jsonb
$$;

-- Tests of projects set the older `request.jwt.claim.sub`, which only counts without claims: a visitor's have no `sub`.
create or replace function auth.uid() returns uuid language sql stable as $$
  select case when claim ~* '^([0-9a-f]{4}-?){7}[0-9a-f]{4}$' then claim::uuid end
  from (select case nullif(current_setting('request.jwt.claims', true), '') is null
    when true then current_setting('request.jwt.claim.sub', true)
    else current_setting('request.jwt.claims', true)::jsonb ->> 'sub' end as claim) as token
$$;

create or replace function auth.role() returns text language sql stable as $$
  select nullif(case nullif(current_setting('request.jwt.claims', true), '') is null
    when true then current_setting('request.jwt.claim.role', true)
    else current_setting('request.jwt.claims', true)::jsonb ->> 'role' end, '')
$$;

create or replace function auth.email() returns text language sql stable as $$
  select nullif(case nullif(current_setting('request.jwt.claims', true), '') is null
    when true then current_setting('request.jwt.claim.email', true)
    else current_setting('request.jwt.claims', true)::jsonb ->> 'email' end, '')
$$;

-- The ID of the caller's account, or null if it was deleted or is banned: an access token outlives its account by up to an
-- hour. Policies and functions compare with this ID, or with auth.uid() if they also ask for a role. PL/pgSQL caches its
-- plan, unlike the gateway's lists with plan_cache_mode = force_custom_plan.
create or replace function auth.account_id() returns uuid language plpgsql stable security definer set plan_cache_mode = auto as $$
begin
  return (
    select id from auth.users
    where id = auth.uid() and deleted_at is null and (banned_until is null or banned_until <= now()));
end $$;

-- Tables and views from which a role could read rows that no policy admits. `readable`: by visitors or users.
create or replace function auth.unprotected_relations() returns table (relation regclass, problem text, readable boolean)
language sql stable as $$
  select pg_class.oid::regclass, problem, exists (
    select from unnest(array['anon', 'authenticated']::name[]) as reader
    where has_schema_privilege(reader, relnamespace, 'usage') and has_any_column_privilege(reader, pg_class.oid, 'select'))
  from pg_catalog.pg_class
  join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace
  cross join lateral (select case
    when relkind in ('r', 'p') and not relrowsecurity then 'a table without row security'
    when relkind in ('m', 'f') then 'a materialized view or foreign table, to which row security does not apply'
    when relkind = 'v' and not exists (
      select from pg_options_to_table(reloptions)
      where option_name = 'security_invoker' and option_value::boolean) then 'a view without security_invoker'
  end) as found (problem)
  where problem is not null and nspname !~ '^pg_' and nspname <> 'information_schema'
$$;

grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to anon, authenticated, service_role, auth_admin,
  storage_admin, developer;
grant execute on function auth.account_id() to anon, authenticated, service_role, developer;
grant execute on function auth.unprotected_relations() to developer;
