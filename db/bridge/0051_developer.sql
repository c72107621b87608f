-- A login for developers, who own what they create in public. It can't bypass row security or reach other schemas' rows.
-- As in 0001_roles.sql, another database of the cluster may have created the role.
lock table pg_catalog.pg_authid in share row exclusive mode;

do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'developer') then
    create role developer login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
    comment on role developer is 'owns the tables of Serasi''s developers';
  elsif exists (select from pg_catalog.pg_authid where rolname = 'developer' and (
    rolsuper or rolbypassrls or rolcreaterole or rolreplication
    or pg_catalog.shobj_description(oid, 'pg_authid') is distinct from 'owns the tables of Serasi''s developers'
      and (rolpassword is not null or exists (select from pg_catalog.pg_auth_members where member = pg_authid.oid))))
  then
    raise exception 'the role developer exists and is not Serasi''s' using hint = 'alter role developer rename to …';
  end if;
end $$;

grant usage, create on schema public to developer;
grant usage on schema auth, storage, extensions to developer;

-- As in a Supabase project. Row security, which new tables have, decides.
alter default privileges for role developer revoke execute on functions from public;
alter default privileges for role developer in schema public grant select, insert, update, delete on tables to anon, authenticated, service_role;
alter default privileges for role developer in schema public grant usage, select on sequences to anon, authenticated, service_role;
alter default privileges for role developer in schema public grant execute on functions to anon, authenticated, service_role;

-- For tables that the superuser creates: without it, a grant to insert into a table with a serial column has no effect.
alter default privileges in schema public grant usage, select on sequences to anon, authenticated, service_role;
