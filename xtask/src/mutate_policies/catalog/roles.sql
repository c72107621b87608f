-- The cluster's roles: attributes, timeouts, memberships and default privileges.
with recursive role as (
  -- Owners of our schemas, roles with USAGE on them, and roles that are members of one of these.
  select pg_roles.* from pg_roles where not rolsuper and oid in (
    select nspowner from pg_namespace where nspowner = 'serasi_owner'::regrole
    union
    select grantee from pg_namespace cross join lateral aclexplode(nspacl) where nspowner = 'serasi_owner'::regrole)
  union
  select pg_roles.* from role join pg_auth_members on roleid = role.oid join pg_roles on pg_roles.oid = member where not pg_roles.rolsuper
)
select rolname::text, format('role %s: %s', rolname, change), format('alter role %I %s', rolname, change),
  case when change in ('superuser', 'bypassrls', 'nobypassrls') then null else 'quiet' end
from role cross join lateral (values
  (case when rolbypassrls then 'nobypassrls' else 'bypassrls' end), (case when rolcanlogin then 'nologin' else 'login' end),
  (case when rolinherit then 'noinherit' else 'inherit' end), (case when not rolcreaterole then 'createrole' end),
  (case when not rolcreatedb then 'createdb' end), (case when not rolreplication then 'replication' end), ('superuser')
) as attribute (change)
where change is not null
union all
select rolname::text, format('role %s: no %s', rolname, split_part(setting, '=', 1)), format('alter role %I reset %s', rolname, split_part(setting, '=', 1)), 'quiet'
from role join pg_db_role_setting on setrole = role.oid and setdatabase = 0 cross join lateral unnest(setconfig) as setting
-- `serasi up` sets these two for the logins; the schema does not contain them.
where split_part(setting, '=', 1) not in ('client_connection_check_interval', 'log_min_messages')
union all
select member.rolname::text, format('role %s: may %s %s', member.rolname, case when holds then 'no longer become' else 'become' end, granted.rolname),
  format('%s %I %s %I', case when holds then 'revoke' else 'grant' end, granted.rolname, case when holds then 'from' else 'to' end, member.rolname),
  case when not holds then 'quiet' end
from role as member join role as granted on granted.oid <> member.oid
cross join lateral (select exists (select from pg_auth_members where roleid = granted.oid and pg_auth_members.member = member.oid)) as membership (holds)
where not pg_has_role(granted.oid, member.oid, 'member')
union all
select 'default privileges', format('default privileges of %s: %s for %s again', defaclrole::regrole, lower(standard.privilege_type), kind),
  format('alter default privileges for role %I grant %s on %s to public', defaclrole::regrole::text, standard.privilege_type, kind), null
from pg_default_acl
cross join lateral (select case defaclobjtype when 'f' then 'functions' when 'T' then 'types' end) as named (kind)
cross join lateral aclexplode(acldefault(defaclobjtype, defaclrole)) as standard
where defaclnamespace = 0 and standard.grantee = 0
  and not exists (select from aclexplode(defaclacl) as kept where kept.grantee = 0 and kept.privilege_type = standard.privilege_type)
order by 1, 2
