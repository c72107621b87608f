-- Triggers are dropped, rules (functions that return boolean) are always true, and functions lose their guards one at a time.
with ours as (
  select oid from pg_namespace where nspowner = 'serasi_owner'::regrole
), function as (
  select pg_proc.oid::regprocedure::text as name, prosrc, lanname, prorettype,
    -- The definition without the body, which comes last.
    regexp_replace(pg_get_functiondef(pg_proc.oid), E'\nAS .*$', '') as head
  from pg_proc join pg_language on pg_language.oid = prolang
  where pronamespace in (select oid from ours) and prokind = 'f' and lanname in ('sql', 'plpgsql') and prosqlbody is null and not proretset
)
select tgrelid::regclass::text as subject, format('trigger %s on %s: dropped', tgname, tgrelid::regclass) as name,
  format('drop trigger %I on %s', tgname, tgrelid::regclass) as sql, null as body
from pg_trigger join pg_class on pg_class.oid = tgrelid where relnamespace in (select oid from ours) and not tgisinternal
union all
select evtname, format('event trigger %s: dropped', evtname), format('drop event trigger %I', evtname), null from pg_event_trigger
union all
select name, format('function %s: always true', name),
  format(E'%s\nAS $mutant$%s$mutant$', head, case lanname when 'sql' then 'select true' else 'begin return true; end' end), null
from function where prorettype = 'boolean'::regtype
union all
select name, 'function ' || name, head || E'\nAS $mutant$%body%$mutant$', prosrc from function where lanname = 'plpgsql'
order by 1, 2
