-- Media type handlers: aggregates, then functions, that return a domain named after a media type.
with media as (
  select t.oid, t.typname, n.nspname
  from pg_catalog.pg_type t
  join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  where t.typtype = 'd' and (t.typname = '*/*' or t.typname ~* '^[a-z0-9.-]+/[a-z0-9.+-]+$')
)
select pg_catalog.json_build_object(
  'handler', pg_catalog.json_build_object('schema', pn.nspname, 'name', p.proname),
  'target', pg_catalog.json_build_object('schema', an.nspname, 'name', a.typname),
  'media', pg_catalog.lower(m.typname)
)::text
from media m
join pg_catalog.pg_proc p on p.prorettype = m.oid and p.prokind = 'a' and p.pronargs = 1
join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
join pg_catalog.pg_type a on a.oid = p.proargtypes[0]
join pg_catalog.pg_namespace an on an.oid = a.typnamespace
where pn.nspname = any ($1)
  and (a.typname = 'anyelement' or exists (select from pg_catalog.pg_class c where c.reltype = a.oid))
union all
select pg_catalog.json_build_object(
  'handler', pg_catalog.json_build_object('schema', m.nspname, 'name', m.typname),
  'target', pg_catalog.json_build_object('schema', pn.nspname, 'name', p.proname),
  'media', pg_catalog.lower(m.typname)
)::text
from media m
join pg_catalog.pg_proc p on p.prorettype = m.oid and p.prokind = 'f' and not p.proretset
join pg_catalog.pg_namespace pn on pn.oid = p.pronamespace
where pn.nspname = any ($1)
