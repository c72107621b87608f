-- What any app needs moves from `app` to a schema of its own. Its functions are applied again there.
create schema serasi authorization serasi_owner;
revoke all on schema serasi from public;

do $$ begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'functions_admin') then
    create role functions_admin login noinherit nosuperuser nocreatedb nocreaterole noreplication;
  end if;
end $$;
alter role functions_admin set statement_timeout = '10s';
alter role functions_admin set lock_timeout = '5s';
alter role functions_admin set idle_in_transaction_session_timeout = '15s';
alter role functions_admin set search_path = pg_catalog, pg_temp;
alter role functions_admin set random_page_cost = 1.1;
grant usage on schema serasi to authenticated, service_role, auth_admin, functions_admin;
grant usage on schema app to functions_admin;

alter table app.mail_templates set schema serasi;
alter table app.mail_outbox set schema serasi;
alter table app.backups set schema serasi;
alter table app.system_reports set schema serasi;
alter table app.retention set schema serasi;
alter function app.mailbox_of(text) set schema serasi;
alter function app.secure_new_tables() set schema serasi;

create or replace function serasi.secure_new_tables() returns event_trigger
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

-- As a new database does, which generates these columns for everybody whom a policy lets write.
grant execute on function storage.path_parts(text), storage.folder_key(text), storage.sort_key(text) to anon;

update serasi.retention set relation = 'serasi' || substr(relation, 4)
where relation in ('app.mail_templates', 'app.mail_outbox', 'app.backups', 'app.system_reports', 'app.retention');
-- Accounts with a staff role or a profile stay.
update serasi.retention
set only_if = 'not exists (select from app.user_roles where user_id = users.id and role in (''admin'', ''superadmin''))
  and not exists (select from app.influencers where user_id = users.id) and not exists (select from app.agencies where user_id = users.id)
  and not exists (select from app.vendors where user_id = users.id)'
where relation = 'auth.users' and name = 'unconfirmed';
