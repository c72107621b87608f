-- Views in the schemas that requests can see ($1), with their rewrite rules and column names.
select pg_catalog.json_build_object(
  'id', c.oid::int8,
  'name', pg_catalog.json_build_object('schema', n.nspname, 'name', c.relname),
  'rule', r.ev_action::text,
  'columns', array(
    select a.attname::text from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 order by a.attnum
  )
)::text
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
where c.relkind in ('v', 'm') and n.nspname = any ($1)
