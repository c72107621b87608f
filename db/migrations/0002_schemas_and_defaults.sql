-- Everything starts closed: no privilege comes with a new object, row security comes with a new table.
create schema app     authorization serasi_owner;
create schema auth    authorization serasi_owner;
create schema storage authorization serasi_owner;
alter schema public owner to serasi_owner;

revoke all on schema public, app, auth, storage from public;
grant usage on schema public  to anon, authenticated, service_role;
grant usage on schema app     to anon, authenticated, service_role, auth_admin;
grant usage on schema auth    to anon, authenticated, service_role, auth_admin, storage_admin;
grant usage on schema storage to anon, authenticated, service_role, storage_admin;

-- PUBLIC's execute on functions is a global default; it can only be taken away globally (per role).
alter default privileges for role serasi_owner revoke execute on functions from public;
alter default privileges for role serasi_owner revoke usage on types from public;
alter default privileges revoke execute on functions from public;

create function app.secure_new_tables() returns event_trigger
language plpgsql set search_path = '' as $$
declare
  created record;
begin
  for created in
    select objid::regclass as relation from pg_catalog.pg_event_trigger_ddl_commands()
    where object_type = 'table' and schema_name in ('app', 'auth', 'storage', 'public')
  loop
    execute format('alter table %s enable row level security', created.relation);
    execute format('alter table %s force row level security', created.relation);
  end loop;
end $$;

create event trigger secure_new_tables on ddl_command_end
  when tag in ('CREATE TABLE', 'CREATE TABLE AS', 'SELECT INTO')
  execute function app.secure_new_tables();
