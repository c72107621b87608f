-- What a caller may do with the views and functions of the API: each privilege is revoked, and each missing one granted, unless
-- it has no effect: a view without an INSTEAD OF trigger also needs the privilege on its tables. Privileges that no statement of
-- a test can need are left to db/schema.snapshot and the lints.
with relation as (
  select oid, oid::regclass::text as name, relacl, relowner from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
), caller (name, oid) as (
  select rolname::text, oid from pg_roles where rolname in ('anon', 'authenticated')
), act (name) as (
  values ('select'), ('insert'), ('update'), ('delete')
), held as (
  select relation.oid, relation.name as relation, caller.name as caller, act.name as act, exists (
    select from aclexplode(relacl) where grantee in (0, caller.oid) and lower(privilege_type) = act.name) as whole, exists (
    select from pg_attribute cross join lateral aclexplode(attacl) where attrelid = relation.oid and grantee in (0, caller.oid) and lower(privilege_type) = act.name) as part
  from relation cross join caller cross join act
), base as (
  select ev_class as view, refobjid as oid from pg_rewrite join pg_depend on objid = pg_rewrite.oid
  where classid = 'pg_rewrite'::regclass and refclassid = 'pg_class'::regclass and refobjid <> ev_class
)
select relation as subject, format('%s: %s revoked from %s', relation, act, caller) as name, format('revoke %s on %s from %s', act, relation, caller) as sql
from held where whole or part
union all
select relation, format('%s: %s granted to %s', relation, act, caller), format('grant %s on %s to %s', act, relation, caller)
from held where not whole and (
  exists (select from pg_trigger where tgrelid = held.oid and tgtype & 64 <> 0)
  or not exists (
    select from base where base.view = held.oid and not case act
      when 'delete' then has_table_privilege(caller, base.oid, act) else has_any_column_privilege(caller, base.oid, act) end)
  and (act = 'delete' or exists (
    select from pg_attribute as shown
    where shown.attrelid = held.oid and shown.attnum > 0 and not has_column_privilege(caller, held.oid, shown.attnum, act) and not exists (
      select from base join pg_attribute as stored on stored.attrelid = base.oid and stored.attname = shown.attname
      where base.view = held.oid and not has_column_privilege(caller, base.oid, stored.attnum, act)))))
union all
select function, format('function %s: execute revoked from %s', function, caller.name), format('revoke execute on function %s from %s', function, caller.name)
from pg_proc cross join lateral (select pg_proc.oid::regprocedure::text) as named (function) cross join caller
where pronamespace = 'public'::regnamespace and has_function_privilege(caller.oid, pg_proc.oid, 'execute')
  and exists (select from aclexplode(proacl) where grantee = caller.oid)
union all
select function, format('function %s: execute granted to %s', function, caller.name), format('grant execute on function %s to %s', function, caller.name)
from pg_proc cross join lateral (select pg_proc.oid::regprocedure::text) as named (function) cross join caller
where pronamespace = 'public'::regnamespace and not has_function_privilege(caller.oid, pg_proc.oid, 'execute') and prorettype <> 'trigger'::regtype
union all
select oid::regclass::text, format('%s: row security disabled', oid::regclass), format('alter table %s disable row level security', oid::regclass)
from pg_class where relnamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole) and relkind in ('r', 'p')
union all
select name, format('%s: security_invoker off', name), format('alter view %s reset (security_invoker)', name) from relation
order by 1, 2
