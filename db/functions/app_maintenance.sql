-- For policies/ and views/. Their current files define all access to an object, so each first removes what an
-- earlier version granted. This file is applied first.

do $$
declare
  ours record;
begin
  for ours in
    select oid::regprocedure as signature from pg_catalog.pg_proc
    where pronamespace in ('app'::regnamespace, 'auth'::regnamespace, 'storage'::regnamespace)
      and proowner = 'serasi_owner'::regrole
  loop
    execute format('revoke all on function %s from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin',
      ours.signature);
  end loop;
end $$;

-- Drops every policy of a table and revokes every privilege of everybody but its owner.
create or replace function app.reset_access(target regclass) returns void
language plpgsql set search_path = '' as $$
declare
  old record;
begin
  for old in select polname from pg_catalog.pg_policy where polrelid = target loop
    execute format('drop policy %I on %s', old.polname, target);
  end loop;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('revoke all on %s from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin', target);
end $$;
