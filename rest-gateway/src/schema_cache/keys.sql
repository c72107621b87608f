-- Columns of primary keys (p), of foreign keys (f) and of the targets of foreign keys (r). They are matched with the columns
-- of views, so only relations that a view or rule refers to are included.
select pg_catalog.json_build_object(
  'kind', k.kind, 'constraint', k.conname, 'relation', k.relation, 'schema', n.nspname, 'table', c.relname,
  'columns', (
    select pg_catalog.json_agg(pg_catalog.json_build_array(a.attnum, a.attname) order by p.place)
    from unnest(k.columns) with ordinality as p(number, place)
    join pg_catalog.pg_attribute a on a.attrelid = k.relation and a.attnum = p.number
  )
)::text
from (
  select contype::text as kind, conname, conrelid::int8 as relation, conkey as columns
  from pg_catalog.pg_constraint where contype in ('p', 'f')
  union all
  select 'r', conname, confrelid::int8, confkey from pg_catalog.pg_constraint where contype = 'f'
) k
join pg_catalog.pg_class c on c.oid = k.relation
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
where k.relation in (
  select refobjid::int8 from pg_catalog.pg_depend
  where classid = 'pg_catalog.pg_rewrite'::regclass and refclassid = 'pg_catalog.pg_class'::regclass
)
