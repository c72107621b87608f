-- Views in the schemas that requests can see ($1), with their rewrite rules and column names.
select c.oid::int8, n.nspname::text, c.relname::text, r.ev_action::text,
  array(
    select a.attname::text from pg_catalog.pg_attribute a
    where a.attrelid = c.oid and a.attnum > 0 order by a.attnum
  )
from pg_catalog.pg_class c
join pg_catalog.pg_namespace n on n.oid = c.relnamespace
join pg_catalog.pg_rewrite r on r.ev_class = c.oid and r.rulename = '_RETURN'
where c.relkind in ('v', 'm') and n.nspname = any ($1)
