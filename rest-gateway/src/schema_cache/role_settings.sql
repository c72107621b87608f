-- Settings from `alter role … set` for the roles that requests can assume. The gateway applies them to each transaction,
-- because SET ROLE does not.
select r.rolname::text, kv.key, kv.value
from pg_catalog.pg_auth_members m
join pg_catalog.pg_roles r on r.oid = m.roleid
cross join lateral unnest(r.rolconfig) s
cross join lateral (
  select pg_catalog.split_part(s, '=', 1) as key, pg_catalog.substr(s, pg_catalog.strpos(s, '=') + 1) as value
) kv
left join pg_catalog.pg_settings g on g.name = kv.key
where m.member = (select oid from pg_catalog.pg_roles where rolname = current_user)
  and (kv.key = 'default_transaction_isolation' or g.context = 'user'
    or g.name is not null and pg_catalog.has_parameter_privilege(current_user, kv.key, 'set'))
