-- The functions of migrations resolve names in pg_catalog only. With an empty path, PostgreSQL still looks for types and tables among
-- temporary ones first, so that a role that may create those could replace a type that a security definer function names.
do $$
declare
  pinned record;
begin
  for pinned in
    select pg_proc.oid::regprocedure as name from pg_catalog.pg_proc join pg_catalog.pg_namespace on pg_namespace.oid = pronamespace
    where proowner = 'serasi_owner'::regrole and 'search_path=""' = any (proconfig)
  loop
    execute format('alter function %s set search_path = pg_catalog, pg_temp', pinned.name);
  end loop;
  alter function app.secure_new_tables() set search_path = pg_catalog, pg_temp;
end $$;

-- Of a newer version of an extension, which the revoke of that time did not know.
do $$
declare
  added regprocedure;
begin
  for added in
    select objid from pg_catalog.pg_depend join pg_catalog.pg_extension on pg_extension.oid = refobjid
    where classid = 'pg_proc'::regclass and refclassid = 'pg_extension'::regclass and deptype = 'e'
      and extname in ('pg_trgm', 'pgcrypto', 'uuid-ossp')
  loop
    execute format('revoke execute on function %s from public', added);
  end loop;
end $$;

-- The same rule, as it is after a restore.
alter table app.enquiries drop constraint enquiries_budget_range, add constraint enquiries_budget_range check (
  budget_from >= 0 and budget_from <= 100000000 and (budget_to between 0 and 100000000));
