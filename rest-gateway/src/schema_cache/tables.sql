-- All tables and views outside the system schemas, one JSON object per row. Columns are only listed for the exposed schemas
-- ($1); other tables are included for their keys.
with recursive steps as (
  select oid, typbasetype as base from pg_catalog.pg_type where typtype = 'd'
  union all
  select s.oid, t.typbasetype from steps s join pg_catalog.pg_type t on t.oid = s.base where t.typtype = 'd'
),
-- Domains and their base types, through any number of nested domains.
base_types as materialized (
  select s.oid, s.base from steps s join pg_catalog.pg_type t on t.oid = s.base where t.typtype <> 'd'
),
-- Joined rather than looked up in a subquery per table, which takes twice as long with 10,000 tables.
primary_keys as (
  select a.attrelid as relation, pg_catalog.json_agg(a.attname order by a.attname) as names
  from pg_catalog.pg_constraint k
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
  where k.contype = 'p'
  group by a.attrelid
),
column_lists as (
  select a.attrelid as relation,
    pg_catalog.json_agg(pg_catalog.json_build_object(
      'name', a.attname,
      'description', e.description,
      'nullable', not (a.attnotnull or t.typtype = 'd' and t.typnotnull),
      'data_type', pg_catalog.format_type(
        case when b.base < 16384 then b.base else a.atttypid end,
        case when b.base < 16384 then null else a.atttypmod end),
      'nominal_type', pg_catalog.format_type(a.atttypid, a.atttypmod),
      'base_type', pg_catalog.format_type(b.base, null),
      'max_length', case when b.base in (1042, 1043) and a.atttypmod > 4 then a.atttypmod - 4 end,
      'default', case
        when a.attidentity = 'd' then (
          select pg_catalog.format('nextval(%L)', s.objid::regclass)
          from pg_catalog.pg_depend s
          where s.classid = 'pg_class'::regclass and s.refobjid = a.attrelid and s.refobjsubid = a.attnum and s.deptype = 'i'
        )
        when a.attgenerated <> '' or a.attidentity = 'a' then null
        -- 0 instead of the table, which PostgreSQL would have to open: defaults don't refer to columns.
        when d.adbin is not null then pg_catalog.pg_get_expr(d.adbin, 0)
        when t.typtype = 'd' then pg_catalog.pg_get_expr(t.typdefaultbin, 0)
      end,
      'enum', case when t.typtype in ('d', 'e') then coalesce((
        select pg_catalog.json_agg(m.enumlabel order by m.enumsortorder) from pg_catalog.pg_enum m where m.enumtypid = b.base
      ), '[]') else '[]' end
    ) order by a.attnum) as columns
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = a.atttypid
  cross join lateral (
    select case when t.typtype = 'd' then (select d.base from base_types d where d.oid = a.atttypid) else a.atttypid end as base
  ) b
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  left join pg_catalog.pg_description e
    on e.objoid = a.attrelid and e.objsubid = a.attnum and e.classoid = 'pg_catalog.pg_class'::regclass
  where a.attnum > 0 and not a.attisdropped and n.nspname = any ($1)
    and c.relkind in ('r', 'v', 'm', 'f', 'p') and not c.relispartition
  group by a.attrelid
)
select pg_catalog.json_build_object(
  'schema', n.nspname,
  'name', c.relname,
  'description', pg_catalog.obj_description(c.oid, 'pg_class'),
  'is_view', c.relkind in ('v', 'm'),
  'insertable', c.relkind in ('r', 'p') or c.relkind in ('v', 'f') and able.mask & 8 = 8,
  'updatable', c.relkind in ('r', 'p') or c.relkind in ('v', 'f') and able.mask & 4 = 4,
  'deletable', c.relkind in ('r', 'p') or c.relkind in ('v', 'f') and able.mask & 16 = 16,
  -- Bits of tgtype: INSTEAD OF is 64, INSERT is 4.
  'inserts_by_trigger', exists (select from pg_catalog.pg_trigger g where g.tgrelid = c.oid and g.tgtype & 68 = 68),
  'primary_key', coalesce(p.names, '[]'),
  'columns', coalesce(l.columns, '[]')
)::text
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
left join primary_keys p on p.relation = c.oid
left join column_lists l on l.relation = c.oid
cross join lateral (
  select case when c.relkind in ('v', 'f') then pg_catalog.pg_relation_is_updatable(c.oid::regclass, true) end as mask
) able
where c.relkind in ('r', 'v', 'm', 'f', 'p')
  and n.nspname not in ('pg_catalog', 'information_schema')
  and not c.relispartition
order by n.nspname, c.relname
