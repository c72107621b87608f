-- The files in lints/ include this after setup.sql. A lint is a query that must return no rows; its name says what is wrong
-- if it returns one. Each lint has a statement that violates it, to prove that the lint finds the violation. DB-… are the
-- numbers of our security rules, S00… those of Supabase's linter.
create temporary table lint (position integer generated always as identity, name text, offence text, query text);

create temporary view ours as
select oid, nspname from pg_namespace where nspname in ('app', 'serasi', 'auth', 'storage', 'public');

-- One row per policy, command and role, with the policy's conditions.
create temporary view rule as
select schemaname, tablename, policyname, permissive, act, role::text as role, qual, with_check,
  format('%I.%I', schemaname, tablename)::regclass as relation, concat_ws(' ', qual, with_check) as terms
from pg_policies
cross join unnest(case cmd when 'ALL' then array['SELECT', 'INSERT', 'UPDATE', 'DELETE'] else array[cmd] end) as act
cross join unnest(roles) as role
where schemaname in (select nspname from ours);

-- All privileges on relations and on columns.
create temporary view privilege as
select oid::regclass as relation, relkind, null::name as field, grantee, case grantee when 0 then 'public' else grantee::regrole::text end as who, lower(privilege_type) as act
from pg_class cross join lateral aclexplode(coalesce(relacl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner))) as granted
where relnamespace in (select oid from ours) and relkind in ('r', 'p', 'v', 'm', 'f', 'S') and grantee <> relowner
union all
select attrelid::regclass, relkind, attname, grantee, case grantee when 0 then 'public' else grantee::regrole::text end, lower(privilege_type)
from pg_attribute join pg_class on pg_class.oid = attrelid cross join lateral aclexplode(attacl) as granted
where relnamespace in (select oid from ours) and grantee <> relowner;

-- The roles that requests and services use.
create temporary view stranger as
select oid, rolname from pg_roles
where rolname in ('anon', 'authenticated', 'service_role', 'authenticator', 'auth_admin', 'storage_admin', 'functions_admin');

create or replace function tests.lints() returns setof text language plpgsql as $$
declare
  each record;
  found_it boolean;
begin
  for each in select * from lint order by position loop
    return next tap.is_empty(each.query, each.name || ': none');
    begin
      execute each.offence;
      execute format('select exists (%s)', each.query) into found_it;
      raise exception 'taken back' using errcode = 'TT000';
    exception when sqlstate 'TT000' then
    end;
    return next tap.ok(found_it, each.name || ': the offense is found');
  end loop;
end $$;
