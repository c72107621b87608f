-- Every known trap is a query that must return nothing.
\ir ../setup.sql

create temporary view ours as select oid, nspname from pg_namespace where nspname in ('app', 'auth', 'storage', 'public');

select is_empty($$select oid::regclass from pg_class where relkind in ('r', 'p') and relnamespace in (select oid from ours) and not (relrowsecurity and relforcerowsecurity)$$,
  'a table without forced row security');
select is_empty($$select oid::regclass from pg_class where relkind = 'v' and relnamespace in (select oid from ours) and not coalesce('security_invoker=true' = any (reloptions), false)$$,
  'a view that runs as its owner');
select is_empty($$select oid::regclass from pg_class where relkind in ('m', 'f') and relnamespace in (select oid from ours)$$,
  'a materialized view or foreign table: row security does not cover them');
select is_empty($$select oid::regclass, relowner::regrole from pg_class where relnamespace in (select oid from ours) and relowner <> 'serasi_owner'::regrole$$,
  'a relation that is not the owner''s');
select is_empty($$select oid::regprocedure from pg_proc where prosecdef and pronamespace in (select oid from ours)
    and (proowner <> 'serasi_owner'::regrole or pronamespace = 'public'::regnamespace or not coalesce('search_path=""' = any (proconfig), false))$$,
  'a security definer function that is exposed, a superuser''s, or without a fixed search_path');
select is_empty($$select oid::regprocedure from pg_proc where pronamespace in (select oid from ours) and prolang in (select oid from pg_language where lanname = 'plpgsql')
    and not coalesce('search_path=""' = any (proconfig), false)$$, 'a plpgsql function without a fixed search_path');
select is_empty($$select oid::regprocedure from pg_proc where pronamespace in (select oid from ours)
    and exists (select from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee = 0)$$, 'a function that everybody may call');
select is_empty($$select tablename, policyname from pg_policies where schemaname in (select nspname from ours) and ('public' = any (roles) or permissive <> 'PERMISSIVE')$$,
  'a policy for nobody in particular');
select is_empty($$select tablename, cmd, role, count(*) from pg_policies cross join unnest(roles) as role
    where schemaname in (select nspname from ours) group by schemaname, tablename, cmd, role having count(*) > 1$$, 'two permissive policies for one act');
select is_empty($$select tablename, policyname from pg_policies where schemaname in (select nspname from ours)
    and (coalesce(qual, '') || ' ' || coalesce(with_check, '')) ~ '(auth|app)\.[a-z_]+\('
    and regexp_replace(coalesce(qual, '') || ' ' || coalesce(with_check, ''), 'SELECT (auth|app)\.[a-z_]+\([^()]*\)', '', 'g') ~ '(auth|app)\.[a-z_]+\('$$,
  'a policy that calls a function once per row');
select is_empty($$select tablename, policyname from pg_policies cross join unnest(roles) as role
    where schemaname in (select nspname from ours) and role in ('anon', 'authenticated') and cmd <> 'SELECT' and 'true' in (qual, with_check)$$, 'a write that is open to all');
select is_empty($$select tablename, policyname from pg_policies where schemaname in (select nspname from ours) and cmd = 'UPDATE' and with_check is null and not 'serasi_owner' = any (roles)$$,
  'an update policy without a check of what it leaves');
select is_empty($$select conrelid::regclass, conname from pg_constraint where contype = 'f' and connamespace in (select oid from ours)
    and not exists (select from pg_index where indrelid = conrelid and indpred is null and (indkey::smallint[])[0 : cardinality(conkey) - 1] @> conkey)$$,
  'a foreign key without an index');
select is_empty($$select oid::regclass from pg_class where relkind = 'r' and relnamespace in (select oid from ours)
    and not exists (select from pg_index where indrelid = pg_class.oid and indisprimary)$$, 'a table without a primary key');
select is_empty($$select conname from pg_constraint where contype = 'c' and connamespace = 'app'::regnamespace and conrelid <> 0 and conname not like (select relname from pg_class where oid = conrelid) || '\_%'$$,
  'a check that is not named after its table and rule');
select is_empty($$select tgrelid::regclass, tgname from pg_trigger where not tgisinternal and tgenabled <> 'O' and tgrelid in (select oid from pg_class where relnamespace in (select oid from ours))$$,
  'a trigger that is switched off');
select is_empty($$select proname from pg_proc where pronamespace in (select oid from ours) and proname like any (array['%\_json', 'exec%', 'query%']) and has_function_privilege('anon', oid, 'execute')$$,
  'a way to run SQL');

\ir ../finish.sql
