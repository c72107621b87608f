-- Function bodies. Mutants remove a single term or statement.
select pg_proc.oid::regprocedure::text, regexp_replace(pg_get_functiondef(pg_proc.oid), E'\nAS .*$', ''), prosrc
from pg_proc join pg_language on pg_language.oid = prolang
where pronamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole)
  and prokind = 'f' and lanname in ('sql', 'plpgsql') and prosqlbody is null
order by 1
