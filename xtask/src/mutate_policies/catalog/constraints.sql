-- Drops each constraint of tables and domains and each unique index, removes referential actions from foreign keys, allows
-- null, and inverts or drops defaults.
with ours as (
  select oid from pg_namespace where nspowner = 'serasi_owner'::regrole
), rule as (
  select conname, contype, case when contypid <> 0 then 'domain ' || contypid::regtype else 'table ' || conrelid::regclass end as target,
    case when contypid <> 0 then contypid::regtype::text else conrelid::regclass::text end as subject,
    pg_get_constraintdef(oid) as definition
  from pg_constraint where connamespace in (select oid from ours) and contype in ('c', 'u', 'p', 'f', 'x')
)
-- CASCADE, because foreign keys depend on primary and unique keys.
select subject, format('constraint %s on %s: dropped', conname, subject), format('alter %s drop constraint %I cascade', target, conname),
  'constraint ' || contype::text
from rule
union all
select subject, format('constraint %s on %s: no longer %s', conname, subject, lower(clause[1])),
  format('alter %s drop constraint %I, add constraint %I %s', target, conname, conname, replace(definition, ' ' || clause[1], '')), clause[1]
from rule cross join lateral regexp_matches(definition, 'ON (?:DELETE|UPDATE) (?:CASCADE|RESTRICT|SET NULL|SET DEFAULT)', 'g') as clause
where contype = 'f'
union all
select indrelid::regclass::text, format('unique index %s: dropped', indexrelid::regclass), format('drop index %s', indexrelid::regclass), null
from pg_index join pg_class on pg_class.oid = indexrelid
where relnamespace in (select oid from ours) and indisunique and not exists (select from pg_constraint where conindid = indexrelid)
union all
select attrelid::regclass::text, format('column %s.%s: may be null', attrelid::regclass, attname), format('alter table %s alter column %I drop not null', attrelid::regclass, attname),
  'may be null'
from pg_attribute join pg_class on pg_class.oid = attrelid
where relnamespace in (select oid from ours) and relkind in ('r', 'p') and attnum > 0 and attnotnull and attidentity = ''
  and not exists (select from pg_index where indrelid = attrelid and indisprimary and attnum = any (indkey::smallint[]))
union all
select adrelid::regclass::text, format('column %s.%s: %s', adrelid::regclass, attname, change),
  format('alter %s %s alter column %I %s', case relkind when 'v' then 'view' else 'table' end, adrelid::regclass, attname, action), change
from pg_attrdef join pg_class on pg_class.oid = adrelid join pg_attribute on attrelid = adrelid and attnum = adnum
cross join lateral (select case
  when pg_get_expr(adbin, adrelid) = 'true' then array['default false', 'set default false']
  when pg_get_expr(adbin, adrelid) = 'false' then array['default true', 'set default true']
  else array['no default', 'drop default'] end) as way (change_and_action)
cross join lateral (values (change_and_action[1], change_and_action[2])) as mutant (change, action)
where relnamespace in (select oid from ours) and attgenerated = ''
order by 1, 2
