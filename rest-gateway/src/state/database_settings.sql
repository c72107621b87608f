-- The login role's settings from `alter role … set pgrst.…`. Settings for this database take precedence.
select distinct on (kv.key) pg_catalog.substr(kv.key, 7), kv.value
from pg_catalog.pg_db_role_setting s
cross join lateral unnest(s.setconfig) c
cross join lateral (
  select pg_catalog.split_part(c, '=', 1) as key, pg_catalog.substr(c, pg_catalog.strpos(c, '=') + 1) as value
) kv
where s.setrole = (select oid from pg_catalog.pg_roles where rolname = current_user)
  and s.setdatabase in (0, (select oid from pg_catalog.pg_database where datname = current_database()))
  and kv.key like 'pgrst.%'
order by kv.key, s.setdatabase desc
