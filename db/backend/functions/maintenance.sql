-- Helpers for the files in access/. Each of them defines all access to its tables and views, so it first revokes what an
-- earlier version granted. This file is applied first, and when it changes, all files are applied again.

-- Whether `serasi import` or `serasi restore` created the policy. Upgrades keep these policies.
create or replace function serasi.is_imported_policy(policy oid) returns boolean language sql stable as $$
  select coalesce(obj_description(policy, 'pg_policy') = 'imported by serasi', false)
$$;

-- On a table, or on its column of that number.
create or replace function serasi.comment_on(target regclass, number integer, comment text) returns void language plpgsql as $$
begin
  execute case number when 0 then format('comment on table %s is %L', target, comment) else format('comment on column %s.%I is %L',
    target, (select attname from pg_catalog.pg_attribute where attrelid = target and attnum = number), comment) end;
end $$;

-- Revokes all privileges of Serasi's roles on a table or view; others keep theirs. Drops a view's column defaults, or a table's policies
-- except the operator's, and what serasi.on_deletion() said of it. It is called for views before their files are applied.
create or replace function serasi.reset_access(target regclass) returns void language plpgsql as $$
declare
  place constant name := (select nspname from pg_catalog.pg_class join pg_catalog.pg_namespace on pg_namespace.oid = relnamespace where pg_class.oid = target);
  old record;
begin
  if (select relkind = 'v' from pg_catalog.pg_class where oid = target) then
    for old in select attname from pg_catalog.pg_attribute where attrelid = target and atthasdef loop
      execute format('alter view %s alter column %I drop default', target, old.attname);
    end loop;
  else
    for old in select polname from pg_catalog.pg_policy where polrelid = target
      and not serasi.is_imported_policy(oid) and 'p' || oid not in (select key from migration.kept)
    loop
      execute format('drop policy %I on %s', old.polname, target);
    end loop;
    perform serasi.comment_on(target, objsubid, null) from pg_catalog.pg_description
    where classoid = 'pg_catalog.pg_class'::regclass and objoid = target and description like 'On deletion: %';
    execute format('alter table %1$s enable row level security, force row level security', target);
    execute format('create policy "the owner of the schema does all" on %s to serasi_owner using (true) with check (true)', target);
    if place in ('auth', 'storage') then
      execute format('create policy "the service of the schema does all" on %s to %I using (true) with check (true)', target, place || '_admin');
    end if;
    -- Not every server lets its operator give the role BYPASSRLS, or bypass row security.
    if not (select bool_and(rolbypassrls or rolsuper) from pg_catalog.pg_roles where rolname in ('service_role', session_user)) then
      execute format('create policy "the service key does all" on %s to service_role using (true) with check (true)', target);
    end if;
  end if;
  execute format('revoke all on %s from public, anon, authenticated, service_role, authenticator, auth_admin, storage_admin, functions_admin, developer', target);
end $$;

-- Lets signed-in users add and change these columns, as far as the policies allow it. All others stay closed to them.
create or replace function serasi.grant_editing(fields text, variadic targets regclass[]) returns void language plpgsql as $$
begin
  execute format('grant insert (%1$s), update (%1$s) on %2$s to authenticated', fields, array_to_string(targets, ', '));
end $$;

-- Says what the deletion of an account does with columns, or with a whole table: as a comment.
create or replace function serasi.on_deletion(target regclass, fate text, fields text default null) returns void language plpgsql as $$
declare
  number integer;
begin
  foreach number in array case when fields is null then '{0}' else
    array(select attnum from pg_catalog.pg_attribute where attrelid = target and attname = any (string_to_array(fields, ', ')::name[])) end
  loop
    perform serasi.comment_on(target, number, 'On deletion: ' || fate);
  end loop;
end $$;

-- Functions in an imported policy for everybody would also run with the privileges of the services.
create or replace function serasi.confine_imported_policies(target regclass) returns void language plpgsql as $$
declare
  open record;
begin
  for open in
    select polname from pg_catalog.pg_policy
    where polrelid = target and polroles = '{0}' and serasi.is_imported_policy(oid)
  loop
    execute format('alter policy %I on %s to anon, authenticated', open.polname, target);
  end loop;
end $$;

-- Grants anon and authenticated the privileges that imported policies on a storage table need: without them, a policy has
-- no effect.
create or replace function serasi.grant_to_imported_policies(target regclass) returns void language plpgsql as $$
declare
  needed record;
begin
  for needed in
    select distinct rolname, commands
    from pg_catalog.pg_policy
    join pg_catalog.pg_roles on pg_roles.oid = any (polroles) or 0 = any (polroles)
    join (values ('r', 'select'), ('a', 'insert'), ('w', 'select, update'), ('d', 'select, delete'), ('*', 'select, insert, update, delete'))
      as meaning (command, commands) on command = polcmd
    where polrelid = target and serasi.is_imported_policy(pg_policy.oid) and rolname in ('anon', 'authenticated')
  loop
    execute format('grant %s on %s to %I', needed.commands, target, needed.rolname);
  end loop;
end $$;
