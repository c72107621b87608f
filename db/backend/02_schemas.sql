-- Schemas and extensions. Everything starts closed: no privilege comes with a new object, row security comes with a new table.
create schema serasi  authorization serasi_owner;
create schema auth    authorization serasi_owner;
create schema storage authorization serasi_owner;
create schema extensions authorization serasi_owner;
alter schema public owner to serasi_owner;

revoke all on schema public, serasi, auth, storage, extensions from public;
grant usage on schema public  to anon, authenticated, service_role;
grant usage on schema serasi  to authenticated, service_role, auth_admin, functions_admin;
grant usage on schema auth    to anon, authenticated, service_role, auth_admin, storage_admin;
grant usage on schema storage to anon, authenticated, service_role, storage_admin;
grant usage, create on schema public to developer;
grant usage on schema auth, storage, extensions to developer;
-- Functions may read the version of the schema.
grant usage on schema migration to serasi_owner;
grant select on migration.version, migration.applied to serasi_owner;

-- PUBLIC's execute on functions is a global default; it can only be revoked globally, per role.
alter default privileges for role serasi_owner revoke execute on functions from public;
alter default privileges for role serasi_owner revoke usage on types from public;
alter default privileges revoke execute on functions from public;

-- What developers create is used as in a Supabase project. Row security, which new tables have, decides.
alter default privileges for role developer revoke execute on functions from public;
alter default privileges for role developer in schema public grant select, insert, update, delete on tables to service_role;
alter default privileges for role developer in schema public grant usage, select on sequences to anon, authenticated, service_role;
alter default privileges for role developer in schema public grant execute on functions to anon, authenticated, service_role;
-- For tables that the superuser creates: without it, a grant to insert into a table with a serial column has no effect.
alter default privileges in schema public grant usage, select on sequences to anon, authenticated, service_role;

create function serasi.secure_new_tables() returns event_trigger
language plpgsql set search_path = pg_catalog, pg_temp as $$
declare
  created record;
begin
  for created in
    select objid::regclass as relation from pg_catalog.pg_event_trigger_ddl_commands()
    where object_type = 'table' and schema_name <> 'extensions' and (schema_name = 'public'
      or schema_name in (select nspname from pg_catalog.pg_namespace where nspowner = 'serasi_owner'::regrole))
  loop
    execute format('alter table %s enable row level security', created.relation);
    execute format('alter table %s force row level security', created.relation);
  end loop;
end $$;

-- Without it, new tables of developers would be open to everybody: there, they grant access themselves.
do $$ begin
  if (select rolsuper from pg_catalog.pg_roles where rolname = current_user) then
    alter default privileges for role developer in schema public grant select, insert, update, delete on tables to anon, authenticated;
    create event trigger secure_new_tables on ddl_command_end
      when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
      execute function serasi.secure_new_tables();
  end if;
end $$;

-- pg_trgm for searches, pgcrypto for keyed hashes. Seeds of Supabase projects hash passwords with `crypt('…', gen_salt('bf'))`, and
-- their dumps use uuid-ossp. Nobody but superusers may call these functions, except for the grants here. On a managed server they
-- belong to its superuser, and every role with USAGE on the schema can call them.
create extension pg_trgm schema extensions;
create extension if not exists pgcrypto schema extensions;
create extension if not exists "uuid-ossp" schema extensions;
do $$ begin
  if not has_function_privilege('serasi_owner', 'extensions.hmac(bytea, bytea, text)', 'execute') then
    grant execute on function extensions.word_similarity(text, text) to serasi_owner;
    grant execute on function extensions.hmac(bytea, bytea, text), extensions.gen_random_bytes(integer) to serasi_owner;
  end if;
end $$;
