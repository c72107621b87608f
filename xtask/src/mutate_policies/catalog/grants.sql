-- Privileges on tables, views, sequences, columns, types and schemas: revokes each existing one, and grants each one that
-- anon, authenticated and PUBLIC lack.
with ours as (
  select oid, nspname, nspowner, nspacl from pg_namespace where nspowner = 'serasi_owner'::regrole
), object as (
  select pg_class.oid, pg_class.oid::regclass::text as name, case relkind when 'S' then 'sequence ' else '' end as keyword,
    relowner as owner, relacl as acl, acldefault(case relkind when 'S' then 's' else 'r' end::"char", relowner) as everything
  from pg_class where relnamespace in (select oid from ours) and relkind in ('r', 'p', 'v', 'm', 'f', 'S')
  union all
  select oid, quote_ident(nspname), 'schema ', nspowner, nspacl, acldefault('n', nspowner) from ours
  union all
  select oid, oid::regtype::text, 'type ', typowner, coalesce(typacl, acldefault('T', typowner)), acldefault('T', typowner)
  from pg_type where typnamespace in (select oid from ours) and typtype in ('d', 'e')
), held as (
  select object.*, grantee, privilege_type as privilege from object cross join lateral aclexplode(acl) where grantee <> owner
), api_role (oid, name) as (
  select 0, 'public' union all select oid, rolname from pg_roles where rolname in ('anon', 'authenticated')
), given as (
  select object.*, api_role.oid as role, api_role.name as role_name, possible.privilege_type as privilege
  from object cross join api_role cross join lateral aclexplode(everything) as possible
  -- Only the owner's privileges, because a type's default ACL includes PUBLIC.
  where possible.grantee = owner and not exists (
    select from held where held.oid = object.oid and held.name = object.name and held.privilege = possible.privilege_type and held.grantee in (api_role.oid, 0))
), column_held as (
  select attrelid, attnum, grantee, privilege_type as privilege
  from pg_attribute cross join lateral aclexplode(attacl)
  where attrelid in (select oid from object) and not attisdropped
)
select name, format('%s%s: %s revoked from %s', keyword, name, lower(privilege), role),
  format('revoke %s on %s%s from %s', privilege, keyword, name, role), null
from held cross join lateral (select case grantee when 0 then 'public' else quote_ident(grantee::regrole::text) end) as named (role)
union all
select name, format('%s%s: %s granted to %s', keyword, name, lower(privilege), role_name),
  format('grant %s on %s%s to %s', privilege, keyword, name, role_name), 
  -- Behavior tests can only detect privileges that their statements need.
  case when keyword = '' and privilege in ('SELECT', 'INSERT', 'UPDATE', 'DELETE') then privilege || ' to ' || role_name else 'quiet' end
from given
union all
select object.name, format('%s: %s of column %s revoked from %s', object.name, lower(privilege), attname, grantee::regrole),
  format('revoke %s (%I) on %s from %s', privilege, attname, object.name, quote_ident(grantee::regrole::text)), null
from column_held join pg_attribute using (attrelid, attnum) join object on object.oid = attrelid
union all
-- A role with privileges on some columns must not write the others.
select object.name, format('%s: %s of column %s granted to %s', object.name, lower(privilege), attname, api_role.name),
  format('grant %s (%I) on %s to %s', privilege, attname, object.name, api_role.name), format('column %s', privilege)
from (select distinct attrelid, grantee, privilege from column_held) as kept
join pg_attribute using (attrelid) join object on object.oid = attrelid join api_role on api_role.oid = grantee
where attnum > 0 and not attisdropped and not exists (
  select from column_held as had
  where had.attrelid = kept.attrelid and had.attnum = pg_attribute.attnum and had.grantee = kept.grantee and had.privilege = kept.privilege)
order by 1, 2
