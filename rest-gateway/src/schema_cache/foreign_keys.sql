-- All foreign keys. A relationship is one-to-one if the columns are also a primary or unique key of their table.
select pg_catalog.json_build_object(
  'table', pg_catalog.json_build_object('schema', tn.nspname, 'name', t.relname),
  'foreign', pg_catalog.json_build_object('schema', fn.nspname, 'name', f.relname),
  'is_self', k.conrelid = k.confrelid,
  'kind', pg_catalog.json_build_object('Direct', pg_catalog.json_build_object(
    'cardinality', case when exists (
      select from pg_catalog.pg_constraint u
      where u.conrelid = k.conrelid and u.contype in ('p', 'u') and u.conkey @> k.conkey and u.conkey <@ k.conkey
    ) then 'OneToOne' else 'ManyToOne' end,
    'constraint', k.conname, 'columns', pairs.columns, 'is_parent', false
  ))
)::text
from pg_catalog.pg_constraint k
join pg_catalog.pg_class t on t.oid = k.conrelid
join pg_catalog.pg_namespace tn on tn.oid = t.relnamespace
join pg_catalog.pg_class f on f.oid = k.confrelid
join pg_catalog.pg_namespace fn on fn.oid = f.relnamespace
cross join lateral (
  select pg_catalog.json_agg(pg_catalog.json_build_array(a.attname, b.attname) order by p.place) as columns
  from unnest(k.conkey, k.confkey) with ordinality as p(here, there, place)
  join pg_catalog.pg_attribute a on a.attrelid = k.conrelid and a.attnum = p.here
  join pg_catalog.pg_attribute b on b.attrelid = k.confrelid and b.attnum = p.there
) pairs
where k.contype = 'f' and k.conparentid = 0
order by k.conrelid, k.conname
