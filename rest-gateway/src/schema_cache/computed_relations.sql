-- Computed relationships: functions from one row type to another.
select pg_catalog.json_build_object(
  'table', pg_catalog.json_build_object('schema', an.nspname, 'name', ac.relname),
  'foreign', pg_catalog.json_build_object('schema', rn.nspname, 'name', rc.relname),
  'is_self', ac.oid = rc.oid,
  'kind', pg_catalog.json_build_object('Computed', pg_catalog.json_build_object(
    'function', pg_catalog.json_build_object('schema', pn.nspname, 'name', p.proname),
    'to_one', not p.proretset or p.prorows = 1
  ))
)::text
from pg_catalog.pg_proc p
join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
join pg_catalog.pg_class ac on ac.reltype = p.proargtypes[0] and ac.relkind in ('r', 'v', 'm', 'f', 'p')
join pg_catalog.pg_namespace an on an.oid = ac.relnamespace
join pg_catalog.pg_class rc on rc.reltype = p.prorettype and rc.relkind in ('r', 'v', 'm', 'f', 'p')
join pg_catalog.pg_namespace rn on rn.oid = rc.relnamespace
where p.pronargs = 1
