-- Check constraints. Mutants remove a single term.
select case when contypid <> 0 then contypid::regtype::text else conrelid::regclass::text end,
  case when contypid <> 0 then 'domain ' || contypid::regtype else 'table ' || conrelid::regclass end,
  conname::text, pg_get_constraintdef(oid)
from pg_constraint
where connamespace in (select oid from pg_namespace where nspowner = 'serasi_owner'::regrole) and contype = 'c'
order by 1, 3
