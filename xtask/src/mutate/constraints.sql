-- Checks are dropped, and lose each of their terms; keys and unique indexes are dropped.
with ours as (
  select oid from pg_namespace where nspowner = 'serasi_owner'::regrole
), rule as (
  select conname, contype, pg_get_constraintdef(oid) as definition,
    case when contypid <> 0 then contypid::regtype::text else conrelid::regclass::text end as subject,
    case when contypid <> 0 then 'domain ' || contypid::regtype else 'table ' || conrelid::regclass end as target
  from pg_constraint where connamespace in (select oid from ours) and contype in ('c', 'u', 'f', 'x')
)
-- CASCADE, because foreign keys depend on unique keys.
select subject, format('constraint %s on %s: dropped', conname, subject) as name,
  format('alter %s drop constraint %I cascade', target, conname) as sql, null as body
from rule
union all
select subject, format('constraint %s on %s', conname, subject),
  format('alter %s drop constraint %I; alter %s add constraint %I %%body%%', target, conname, target, conname), definition
from rule where contype = 'c'
union all
select indrelid::regclass::text, format('unique index %s: dropped', indexrelid::regclass), format('drop index %s', indexrelid::regclass), null
from pg_index join pg_class on pg_class.oid = indexrelid
where relnamespace in (select oid from ours) and indisunique and not exists (select from pg_constraint where conindid = indexrelid)
order by 1, 2
